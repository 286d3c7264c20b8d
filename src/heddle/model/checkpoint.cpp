// See checkpoint.hpp.
#include "heddle/model/checkpoint.hpp"

#include "heddle/base/text.hpp"
#include "heddle/tensor/dispatch.hpp"

namespace heddle {

void save_weights(const std::string& path, const Weights& weights, const Metadata& metadata) {
  std::vector<NamedTensor> tensors;
  const auto& specs = weights.layout().specs();
  tensors.reserve(specs.size());
  for (std::size_t i = 0; i < specs.size(); ++i)
    tensors.push_back({specs[i].path, weights.value(static_cast<WeightId>(i))});
  write_safetensors(path, tensors, metadata);
}

Metadata load_weights(const std::string& path, Weights& weights) {
  const SafetensorsFile file = read_safetensors(path);
  const auto& specs = weights.layout().specs();
  for (const WeightSpec& spec : specs) {
    const Tensor* found = file.find(spec.path);
    check<FileError>(found != nullptr, "{} has no tensor '{}', which its config.json needs",
                     quote_path(path), spec.path);
    check<FileError>(found->shape() == spec.shape,
                     "{}: '{}' has shape {}, its config.json needs {}", quote_path(path), spec.path,
                     found->shape(), spec.shape);
    const Tensor value = converted(*found, weights.flat().dtype());
    dispatch(value.dtype(), [&]<class T>() {
      std::copy_n(value.data<T>(), value.size(), weights.flat().write_shared<T>() + spec.offset);
    });
  }
  check<FileError>(file.tensors.size() == specs.size(),
                   "{} holds {} tensors, its config.json needs {}", quote_path(path),
                   file.tensors.size(), specs.size());
  return file.metadata;
}

}  // namespace heddle
