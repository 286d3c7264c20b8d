// See checkpoint.hpp.
#include "heddle/model/checkpoint.hpp"

#include <algorithm>
#include <cmath>

#include "heddle/base/text.hpp"
#include "heddle/tensor/dispatch.hpp"

namespace heddle {
namespace {

void check_finite(const Tensor& tensor, const std::string& name, const std::string& path) {
  dispatch(tensor.dtype(), [&]<class T>() {
    const auto numbers = tensor.flat<T>();
    const auto bad = std::ranges::count_if(numbers, [](T x) { return !std::isfinite(x); });
    check<FileError>(bad == 0, "{}: '{}' has {} of {} numbers that are NaN or infinite",
                     quote_path(path), name, bad, numbers.size());
  });
}

}  // namespace

std::string save_weights(const std::string& path, const Weights& weights,
                         const Metadata& metadata) {
  std::vector<NamedTensor> tensors;
  const auto& specs = weights.layout().specs();
  tensors.reserve(specs.size());
  for (std::size_t i = 0; i < specs.size(); ++i)
    tensors.push_back({specs[i].path, weights.value(static_cast<WeightId>(i))});
  return write_safetensors(path, tensors, metadata);
}

Metadata load_weights(const std::string& path, Weights& weights) {
  SafetensorsFile file = read_safetensors(path);
  take_weights(file, path, weights);
  return std::move(file.metadata);
}

void take_weights(const SafetensorsFile& file, const std::string& path, Weights& weights,
                  Finite finite) {
  const auto& specs = weights.layout().specs();
  for (const WeightSpec& spec : specs) {
    const Tensor* found = file.find(spec.path);
    check<FileError>(found != nullptr, "{} has no tensor '{}', which its config.json needs",
                     quote_path(path), spec.path);
    check<FileError>(found->shape() == spec.shape,
                     "{}: '{}' has shape {}, its config.json needs {}", quote_path(path), spec.path,
                     found->shape(), spec.shape);
    const Tensor value = converted(*found, weights.flat().dtype());
    if (finite == Finite::required) check_finite(value, spec.path, path);
    dispatch(value.dtype(), [&]<class T>() {
      std::copy_n(value.data<T>(), value.size(), weights.flat().write_shared<T>() + spec.offset);
    });
  }
  check<FileError>(file.tensors.size() == specs.size(),
                   "{} holds {} tensors, its config.json needs {}", quote_path(path),
                   file.tensors.size(), specs.size());
}

}  // namespace heddle
