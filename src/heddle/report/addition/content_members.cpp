// The answer and the members: see document.hpp.
#include <algorithm>

#include "heddle/report/addition/document.hpp"
#include "heddle/report/addition/figures.hpp"
#include "heddle/report/document/label.hpp"

namespace heddle::report {
namespace {

std::vector<const Count*> greedy_of(const std::vector<const MemberRecord*>& members) {
  std::vector<const Count*> counts;
  for (const MemberRecord* member : members) counts.push_back(&member->test.greedy);
  return counts;
}

Piece members_in(const AdditionSource& source, const std::string& recipe) {
  std::vector<const std::string*> names;
  for (const MemberRecord& member : source.study().members) names.push_back(&member.recipe);
  return source.equal(names, recipe);
}

const Estimate* largest(const std::vector<Estimate>& estimates) {
  const auto found = std::ranges::max_element(estimates, {}, &Estimate::value);
  return found == estimates.end() ? nullptr : &*found;
}

Text success_sentence(const AdditionSource& source, const MemberRecord& shown) {
  const auto members = members_of(source.study(), shown.recipe);
  const auto greedy = greedy_of(members);
  const bool all = std::ranges::all_of(greedy, [](const Count* count) {
    return count->total > 0 && count->correct == count->total;
  });
  Text text = say(
      "{} of {} members trained by the recipe {} answer every one of their {} test problems right",
      source.complete(greedy), members_in(source, shown.recipe), source.text(shown.recipe),
      source.count(shown.test.greedy.total));
  if (!all) text += say("; the worst of them answers {}", source.least_share(greedy));
  return say("{}.", text);
}

Text place_sentence(const AdditionSource& source, const Population& population) {
  const Estimate* place = largest(population.critical_module);
  if (place == nullptr) return {};
  Text text =
      say("The one head that a member can least do without sits most often in {}: in {} members "
          "({} interval {})",
          source.label(place->name), source.of(place->hits, place->seeds),
          Source::constant("confidence"), source.percent_interval(place->low, place->high));
  if (!population.profile.empty()) {
    const Estimate& first = population.profile.front();
    text += say("; replacing its output by the mean costs {} percentage points {}",
                source.points(first.value), source.points_interval(first.low, first.high));
  }
  return say("{}.", text);
}

Table scores_table(const AdditionSource& source) {
  Table table;
  table.caption =
      "Scores of every member on test problems that its training never saw, and on the census of "
      "all pairs.";
  table.columns =
      columns({"recipe"}, {"seed", "greedy", "of", "teacher-forced", "forced ≠ greedy",
                           "census, greedy", "loss (nats)", "parameters", "steps", "warnings"});
  for (const MemberRecord& member : source.study().members)
    table.rows.push_back({source.text(member.recipe), source.seed(member.seed),
                          source.share(member.test.greedy), source.of(member.test.greedy),
                          source.share(member.test.teacher_forced),
                          source.count(member.test.disagreements),
                          member.census.greedy.total == 0 ? Text("not taken")
                                                          : Text(source.of(member.census.greedy)),
                          source.significant(member.test.loss), source.count(member.parameters),
                          source.count(member.steps), source.size(member.warnings)});
  return table;
}

Table classes_table(const AdditionSource& source) {
  Table table;
  table.caption =
      "Greedy answers right by number of carries, and where the sum has one digit more than its "
      "operands.";
  std::size_t most = 0;
  for (const MemberRecord& member : source.study().members)
    most = std::max(most, member.test.by_carries.size());
  table.columns = columns({"recipe"}, {"seed"});
  const std::vector<Text> names{"no carry",     "one carry",    "two carries", "three carries",
                                "four carries", "five carries", "six carries"};
  most = std::min(most, names.size());
  for (std::size_t i = 0; i < most; ++i) table.columns.push_back({.head = names[i]});
  table.columns.push_back({.head = "one digit more"});
  if (most == 0) return table;
  for (const MemberRecord& member : source.study().members) {
    std::vector<Text> row{source.text(member.recipe), source.seed(member.seed)};
    for (std::size_t i = 0; i < most; ++i)
      row.push_back(i < member.test.by_carries.size()
                        ? Text(source.share(member.test.by_carries[i]))
                        : Text("–"));
    row.emplace_back(source.share(member.test.top_carry));
    table.rows.push_back(std::move(row));
  }
  return table;
}

/// What the watchdogs said and which defect a recipe carries, once per recipe.
void add_defects(Section& section, const AdditionSource& source) {
  for (const std::string& recipe : recipes_of(source.study()))
    for (const MemberRecord* member : members_of(source.study(), recipe)) {
      if (member->defect.empty()) continue;
      Text text = say("The recipe {} reproduces a defect on purpose: {}.",
                      source.text(member->recipe), source.text(member->defect));
      std::vector<Text> words;
      for (const std::string& warning : member->warnings) words.emplace_back(source.text(warning));
      if (!words.empty()) text += say(" Its watchdogs said: {}.", joined(words, "; "));
      std::vector<Text> mistakes;
      for (const std::string& mistake : member->test.mistakes)
        mistakes.emplace_back(source.text(mistake));
      if (!mistakes.empty())
        text += say(" Wrong answers look like this: {}.", joined(mistakes, ", "));
      add(section, text);
      break;
    }
}

}  // namespace

Section answer_section(const AdditionSource& source) {
  Section section{.id = "answer", .title = "The answer", .blocks = {}};
  const AdditionStudy& study = source.study();
  if (const MemberRecord* shown = member_to_show(study)) {
    add_lead(section, success_sentence(source, *shown));
    const auto population =
        std::ranges::find(study.populations, shown->recipe, &Population::recipe);
    if (population != study.populations.end())
      add_lead(section, place_sentence(source, *population));
  }
  if (!study.claims.empty()) add_lead(section, claims_sentence(source, study.claims));
  add_figure(section, "figures/population_profile.svg",
             "Drop by rank of the head, per recipe, with bands over seeds",
             "How much each head matters, ranked within each member; heads are never compared by "
             "their number.",
             population_profile(study));
  return section;
}

Section members_section(const AdditionSource& source) {
  Section section{.id = "members", .title = "The members and their scores", .blocks = {}};
  add(section,
      "Question: do the models that we take apart add at all? Each member is one training with its "
      "own seed. Greedy and "
      "teacher-forced answers must agree problem by problem; a difference is a defect of the "
      "decoding.");
  add_table(section, scores_table(source));
  add_table(section, classes_table(source));
  add_defects(section, source);
  for (const Population& population : source.study().populations)
    if (!population.description.empty())
      add(section,
          say("{}: {}.", source.text(population.recipe), source.text(population.description)));
  add_figure(section, "figures/learning_curves.svg",
             "Loss, token and answer accuracy against the training step",
             "Learning curves of all members.", learning_curves(source.study()));
  return section;
}

}  // namespace heddle::report
