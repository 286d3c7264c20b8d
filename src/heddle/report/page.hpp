// The report as one self-contained page: style, pictures, data and script inside, no network.
#pragma once

#include <string>
#include <string_view>

#include "heddle/report/document.hpp"

namespace heddle::report {

std::string page(const Document& document);

/// The page's style sheet; line colours come from the palette.
std::string page_style();
/// What makes the attention browser move.
std::string_view page_script();
/// The attention of one member as the script reads it.
std::string browser_data(const MemberRecord& member);

}  // namespace heddle::report
