// See document.hpp.
#include "heddle/report/sweep/document.hpp"

#include "heddle/report/document/glossary.hpp"

namespace heddle::report {

Document document_of(const SweepSource& source) {
  Document document;
  document.title = "A sweep of " + source.study().task;
  document.sections = {answer_section(source),   settings_section(source), measures_section(source),
                       training_section(source), members_section(source),  methods_section(source)};
  document.sections.push_back(glossary_section());
  std::erase_if(document.sections, [](const Section& section) { return section.blocks.empty(); });
  return document;
}

}  // namespace heddle::report
