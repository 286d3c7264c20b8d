// The report as Markdown, for repositories.
#pragma once

#include <string>

#include "heddle/report/document/document.hpp"

namespace heddle::report {

std::string markdown(const Document& document);

}  // namespace heddle::report
