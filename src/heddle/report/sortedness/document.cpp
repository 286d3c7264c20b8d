// See document.hpp.
#include "heddle/report/sortedness/document.hpp"

#include <array>

#include "heddle/report/document/glossary.hpp"

namespace heddle::report {

Document document_of(const SortSource& source) {
  static constexpr std::array<std::string_view, 11> kSections{
      "answer",  "extrapolation", "kinds",    "recipe", "learned", "ingredients",
      "reports", "explanations",  "training", "claims", "methods"};
  Document document;
  document.title = kSortednessTitle;
  document.sections = {
      answer_section(source),   extrapolation_section(source),
      kinds_section(source),    recipe_section(source),
      learned_section(source),  ingredients_section(source),
      reports_section(source),  explanations_section(source),
      training_section(source), claims_section(source, source.study().claims, kSections),
      methods_section(source)};
  document.sections.push_back(glossary_section());
  std::erase_if(document.sections, [](const Section& section) { return section.blocks.empty(); });
  return document;
}

}  // namespace heddle::report
