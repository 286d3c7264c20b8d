// Bytes as letters, for pictures and weights inside pages.
#pragma once

#include <string>
#include <string_view>

namespace heddle::report {

std::string base64(std::string_view bytes);
/// The bytes again; what is no such letter ends them.
std::string base64_bytes(std::string_view letters);

}  // namespace heddle::report
