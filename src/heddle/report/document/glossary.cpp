// See glossary.hpp.
#include "heddle/report/document/glossary.hpp"

#include <array>

namespace heddle::report {
namespace {

constexpr std::array<Term, 13> kTerms{{
    {"member", "One trained model of a study: a recipe with one seed."},
    {"recipe", "Settings with a name; the members of a recipe differ in their seed alone."},
    {"seed",
     "The number from which a member's first weights and its training data follow. What holds for "
     "one seed only is an accident."},
    {"head",
     "The smallest part of an attention: it decides which tokens are read, and what of them."},
    {"module",
     "All heads that work side by side: the self-attention or the cross-attention of a layer."},
    {"tap",
     "A named place in a model where a number can be read or replaced while it answers; every "
     "ablation, patch and probe is an edit at a tap."},
    {"ablation",
     "A head's output is replaced, by its mean over other questions unless something else is said; "
     "the drop is the share of the answers that is lost, in percentage points."},
    {"role",
     "What a head attends to, by written rules; it says where a head looks, not what it does."},
    {"exam",
     "A named set of questions that a member is scored on: validation, "
     "test, census, or one for each length."},
    {"census", "The exam with every question that there is, so that its score is no estimate."},
    {"facet",
     "A property of a question by which a score is broken down: its number of carries, its length, "
     "its class."},
    {"claim",
     "A sentence of the reports as a predicate of one member, with a rule for its verdict that was "
     "written down before any member was trained."},
    {"the reports",
     "Earlier reports on addition and on sortedness, named by letters, whose numbers and claims "
     "the studies repeat and put to the test."},
}};

}  // namespace

std::span<const Term> glossary() {
  return kTerms;
}

Section glossary_section() {
  Section section{.id = "glossary", .title = "Words", .blocks = {}};
  Table table;
  table.caption = "What the words of this page mean.";
  table.columns = columns({"word", "meaning"}, {});
  for (const Term& term : kTerms)
    table.rows.push_back({Text(std::string(term.word)), Text(std::string(term.meaning))});
  add_table(section, std::move(table));
  return section;
}

}  // namespace heddle::report
