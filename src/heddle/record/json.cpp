// See json.hpp.
#include "heddle/record/json.hpp"

#include <string_view>

namespace heddle {
namespace {

/// [{name: 0, "correct", "total"}, …].
Json numbered(std::string_view name, const std::vector<Count>& counts) {
  Json list = Json::array();
  for (std::size_t i = 0; i < counts.size(); ++i)
    list.push_back({{name, i}, {"correct", counts[i].correct}, {"total", counts[i].total}});
  return list;
}

Json plain(const std::vector<Count>& counts) {
  Json list = Json::array();
  for (const Count& count : counts) list.push_back(json_of(count));
  return list;
}

}  // namespace

Json json_of(const Count& count) {
  return {{"correct", count.correct}, {"total", count.total}};
}

Json json_of(const Warning& warning) {
  return {{"step", warning.step}, {"watchdog", warning.watchdog}, {"message", warning.message}};
}

Json json_of(const AdditionScore& score) {
  const bool told_apart = score.seen.total + score.unseen.total > 0;
  return {{"set", score.set},
          {"greedy", json_of(score.greedy)},
          {"teacher_forced", json_of(score.teacher_forced)},
          {"teacher_forced_tokens", json_of(score.teacher_forced_tokens)},
          {"by_carries", numbered("carries", score.by_carries)},
          {"by_cascade", numbered("length", score.by_cascade)},
          {"by_digit", plain(score.by_digit)},
          {"seen", told_apart ? json_of(score.seen) : Json()},
          {"unseen", told_apart ? json_of(score.unseen) : Json()},
          {"top_carry", json_of(score.top_carry)},
          {"disagreements", score.disagreements},
          {"loss", score.loss},
          {"mistakes", score.mistakes}};
}

}  // namespace heddle
