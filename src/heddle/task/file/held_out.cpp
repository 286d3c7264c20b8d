// See held_out.hpp.
#include "heddle/task/file/held_out.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "heddle/base/index.hpp"
#include "heddle/task/file/example_limits.hpp"
#include "heddle/task/file/input_groups.hpp"

namespace heddle {
namespace {

/// Tokens and labels of an example, as places in one list of counts.
template <class See>
void for_each_place(const ExampleSet& set, Index i, See&& see) {
  for (const std::int32_t token : set.input(i)) see(to_size(token));
  for (const std::int32_t token : set.output(i)) see(to_size(token));
  if (set.form == ExampleForm::labels) see(to_size(set.tokens.size()) + to_size(set.label(i)));
}

std::vector<Index> no_counts(const ExampleSet& set) {
  return std::vector<Index>(to_size(set.tokens.size() + set.labels.size()), 0);
}

/// Holds out groups while training keeps every token and label.
class Chooser {
 public:
  Chooser(ExampleSet& set, const InputGroups& groups)
      : set_(set),
        groups_(groups),
        left_(no_counts(set)),
        open_(to_size(groups.size()), true),
        groups_left_(groups.size()) {
    for (Index i = 0; i < set_.size(); ++i)
      for_each_place(set_, i, [&](std::size_t place) { ++left_[place]; });
  }

  /// Up to `most` examples; groups are tried from the front or the back.
  void hold_out(Split split, Index most, bool from_back) {
    Index held = 0;
    for (Index k = 0; k < groups_.size() && held < most; ++k) {
      const Index group = from_back ? groups_.size() - 1 - k : k;
      const auto size = static_cast<Index>(groups_[group].size());
      if (held + size > most || groups_left_ == 1 || !open_[to_size(group)]) continue;
      open_[to_size(group)] = false;  // taken, or never to be
      if (take(group, split)) held += size;
    }
  }

 private:
  bool take(Index group, Split split) {
    bool training_keeps_all = true;
    for (const std::int32_t i : groups_[group])
      for_each_place(set_, i, [&](std::size_t p) { training_keeps_all &= --left_[p] > 0; });
    if (!training_keeps_all) {
      for (const std::int32_t i : groups_[group])
        for_each_place(set_, i, [&](std::size_t place) { ++left_[place]; });
      set_.moved_to_training += static_cast<Index>(groups_[group].size());
      return false;
    }
    for (const std::int32_t i : groups_[group]) set_.splits[to_size(i)] = split;
    --groups_left_;
    return true;
  }

  ExampleSet& set_;
  const InputGroups& groups_;
  std::vector<Index> left_;  // how often training has each token and label
  std::vector<bool> open_;   // groups that were not tried yet
  Index groups_left_;        // in training
};

Index smallest_group(const InputGroups& groups) {
  std::size_t smallest = groups[0].size();
  for (Index group = 1; group < groups.size(); ++group)
    smallest = std::min(smallest, groups[group].size());
  return static_cast<Index>(smallest);
}

}  // namespace

void check_shares(const ExampleOptions& options) {
  const double validation = options.validation_share;
  const double test = options.test_share;
  check<UsageError>(validation >= 0 && test >= 0 && validation + test < 1,
                    "{} of the examples for validation and {} for test: shares are at least 0 and "
                    "below 1 together",
                    validation, test);
  check<UsageError>(options.most_held_out >= 0,
                    "at most {} held-out examples: 0 or more are needed", options.most_held_out);
}

void choose_held_out(ExampleSet& set, const ExampleOptions& options) {
  const InputGroups groups(set, options.seed);
  Chooser chooser(set, groups);
  const Index smallest = smallest_group(groups);
  const auto hold_out = [&](Split split, double share, bool from_back) {
    if (share <= 0) return;
    const auto wanted = static_cast<Index>(std::floor(share * static_cast<double>(set.size())));
    const Index most = std::min(std::max(wanted, smallest), options.most_held_out);
    chooser.hold_out(split, most, from_back);
  };
  hold_out(Split::validation, options.validation_share, false);
  hold_out(Split::test, options.test_share, true);
}

void check_own_splits(const ExampleSet& set, const std::string& path) {
  std::vector<Index> trained = no_counts(set);
  bool any = false;
  for (Index i = 0; i < set.size(); ++i) {
    if (set.split(i) != Split::train) continue;
    any = true;
    for_each_place(set, i, [&](std::size_t place) { ++trained[place]; });
  }
  check<FileError>(any, "{} has no example whose split is train", quote_path(path));
  for (Index i = 0; i < set.size(); ++i)
    for_each_place(set, i, [&](std::size_t place) {
      if (trained[place] > 0) return;
      const auto tokens = to_size(set.tokens.size());
      const bool token = place < tokens;
      refuse_line(path, set.line(i), "no training example has the {} {}", token ? "token" : "label",
                  quote(token ? set.tokens.text(static_cast<std::int32_t>(place))
                              : set.labels.text(static_cast<std::int32_t>(place - tokens)),
                        kShown));
    });
}

}  // namespace heddle
