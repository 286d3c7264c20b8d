// The words that a reader of the pages meets first, each with one meaning.
#pragma once

#include <span>
#include <string_view>

#include "heddle/report/document/document.hpp"

namespace heddle::report {

struct Term {
  std::string_view word, meaning;
};

/// In the order in which a reader meets them. docs/glossary.md says the same in the same words.
std::span<const Term> glossary();

/// The last section of every page.
Section glossary_section();

}  // namespace heddle::report
