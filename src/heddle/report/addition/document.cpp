// See document.hpp.
#include "heddle/report/addition/document.hpp"

#include <array>

#include "heddle/report/document/glossary.hpp"

namespace heddle::report {

Table estimates_table(const AdditionSource& source, std::vector<Estimate> Population::* list,
                      Text caption) {
  Table table;
  table.caption = std::move(caption);
  table.columns =
      columns({"recipe", "quantity", "kind"},
              {"estimate", say("{} interval", Source::constant("confidence")), "seeds"});
  for (const Population& population : source.study().populations)
    for (const Estimate& estimate : population.*list)
      table.rows.push_back({source.text(population.recipe), source.label(estimate.name),
                            source.text(estimate.kind), value_of(source, estimate),
                            interval_of(source, estimate), source.count(estimate.seeds)});
  return table;
}

Document document_of(const AdditionSource& source) {
  static constexpr std::array<std::string_view, 12> kSections{
      "answer",  "members",    "attention", "ablation", "pruning", "roles",
      "circuit", "population", "training",  "claims",   "reports", "methods"};
  Document document;
  document.title = kAdditionTitle;
  document.sections = {
      answer_section(source),    members_section(source),
      attention_section(source), ablation_section(source),
      pruning_section(source),   roles_section(source),
      circuit_section(source),   population_section(source),
      training_section(source),  claims_section(source, source.study().claims, kSections),
      reports_section(source),   methods_section(source)};
  document.sections.push_back(glossary_section());
  std::erase_if(document.sections, [](const Section& section) { return section.blocks.empty(); });
  return document;
}

}  // namespace heddle::report
