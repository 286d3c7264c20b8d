// The page as it is written in report/web: page.html with its style sheets and its script inside.
#pragma once

#include <string>

namespace heddle::report {

/// The page before anything is put in. "{{title}}", "{{colours}}", "{{first}}", "{{contents}}" and
/// "{{sections}}" stand where the title, the palette's style, the name of the first section, the
/// table of contents and the sections go. cmake/embed_web.cmake writes the function that gives it.
std::string page_template();

}  // namespace heddle::report
