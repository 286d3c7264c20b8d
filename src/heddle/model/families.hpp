// The families of models: what each is built by.
#pragma once

#include <memory>

#include "heddle/config/config.hpp"
#include "heddle/model/model.hpp"

namespace heddle {

/// The model that a configuration describes. A family is a folder of its own in model/ and a line
/// in families.cpp.
std::unique_ptr<Model> build_model(const Config& config);

}  // namespace heddle
