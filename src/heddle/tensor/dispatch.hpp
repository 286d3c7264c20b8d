// From a dtype known at run time to a type known at compile time.
#pragma once

#include "heddle/tensor/tensor.hpp"

namespace heddle {

/// Calls body.operator()<float> or <double>, after the tensor's type.
template <class Body>
decltype(auto) dispatch(DType dtype, Body&& body) {
  if (dtype == DType::f32) return body.template operator()<float>();
  return body.template operator()<double>();
}

/// The same numbers in another precision.
inline Tensor converted(const Tensor& from, DType dtype) {
  Tensor to = Tensor::uninitialised(from.shape(), dtype);
  dispatch(from.dtype(), [&]<class From>() {
    dispatch(dtype, [&]<class To>() {
      To* out = to.write<To>();
      for (const From v : from.flat<From>()) *out++ = static_cast<To>(v);
    });
  });
  return to;
}

}  // namespace heddle
