// Bytes as letters, for pictures inside pictures.
#pragma once

#include <string>
#include <string_view>

namespace heddle::report {

std::string base64(std::string_view bytes);

}  // namespace heddle::report
