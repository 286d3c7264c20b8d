// See written_claims.hpp. A rule is changed here, in a commit of its own, and never after
// looking.
#include "heddle/study/sortedness/written_claims.hpp"

#include <string>

namespace heddle {
namespace {

constexpr std::int64_t kFar = 256, kNear = 16;
constexpr double kReaches = 0.90;  // accuracy that is called extrapolation
constexpr double kFails = 0.60;    // accuracy that is called failure; guessing has one half
constexpr double kGain = 0.05;     // five points: the least that is called a significant gain
constexpr double kSolved = 0.99;   // accuracy that is called solved

using Truth = std::optional<bool>;
using Value = std::optional<double>;

// ── what is asked of a member ──

Value accuracy(const SortCell* cell) {
  if (cell == nullptr || cell->total == 0) return std::nullopt;
  return static_cast<double>(cell->correct) / static_cast<double>(cell->total);
}

Value on_swaps(const SortMember& member) {  // the reports' benchmark
  return accuracy(cell_at(member, kFar, "swaps", "uniform"));
}

Value on_twins(const SortMember& member, std::int64_t length) {
  return accuracy(cell_at(member, length, "adjacent", "windowed"));
}

/// Extrapolation is asked only of those that have something to extrapolate.
Value extrapolated(const SortMember& member) {
  return member.learned ? on_swaps(member) : std::nullopt;
}

/// The member of another recipe and the same seed.
const SortMember* sibling(SortMembers all, std::string_view recipe, std::uint64_t seed) {
  for (const SortMember& other : all)
    if (other.recipe == recipe && other.seed == seed) return &other;
  return nullptr;
}

/// "sinusoidal-mean" for "sinusoidal-multi".
std::string with_mean(const SortMember& member) {
  const std::string ending = "-multi";
  std::string recipe = member.recipe;
  if (recipe.ends_with(ending)) recipe.resize(recipe.size() - ending.size());
  return recipe + "-mean";
}

/// Accuracy on the reports' benchmark less that of the sibling that pools by the mean.
Value gain_over_mean(const SortMember& member, SortMembers all) {
  const SortMember* mean = sibling(all, with_mean(member), member.seed);
  const Value ours = on_swaps(member), theirs = mean != nullptr ? on_swaps(*mean) : std::nullopt;
  return ours && theirs ? Value(*ours - *theirs) : std::nullopt;
}

Truth cured_by_multi(const SortMember& member, SortMembers all) {
  const Value gain = gain_over_mean(member, all), ours = on_swaps(member);
  return gain ? Truth(*ours >= kReaches && *ours - *gain < kReaches) : std::nullopt;
}

Truth spoilt_by_mean(const SortMember& member, SortMembers all) {
  const SortMember* recipe = sibling(all, "recipe", member.seed);
  const Value ours = on_twins(member, kFar),
              theirs = recipe != nullptr ? on_twins(*recipe, kFar) : std::nullopt;
  return ours && theirs ? Truth(*ours < kReaches && *theirs >= kReaches) : std::nullopt;
}

/// Who solves the benchmark: does it know sorted from unsorted?
Truth honest(const SortMember& member) {
  const Value swaps = on_swaps(member), twins = on_twins(member, kFar);
  return swaps && twins && *swaps >= kSolved ? Truth(*twins > kFails) : std::nullopt;
}

// ── the claims ──

// A list: long, not complicated.
// NOLINTNEXTLINE(readability-function-size)
std::vector<WrittenSortClaim> logical_claims() {
  return {
      {.id = "A1",
       .report = "A, C, D",
       .statement = "With sinusoidal positions the attention logits depend on t − s only.",
       .predicate = "(P_t W_Q)·(P_s W_K) is the same for all pairs of places at one distance",
       .evidence = "explanations",
       .rule = SortRule::argument,
       .argument = "P_t·P_s alone depends on t − s. A logit is P_t W_Q W_Kᵀ P_sᵀ beside terms with "
                   "the tokens: it depends on t − s only if W_Q W_Kᵀ treats every pair of sine and "
                   "cosine as a scaled rotation and mixes no two pairs; nothing in training asks "
                   "for that"},
      {.id = "D1",
       .report = "D",
       .statement = "Written out, the exponents of PE(pos) are 0, 2, ….",
       .predicate = "pair k of the encoding turns by pos / 10000^(2k)",
       .evidence = "explanations",
       .rule = SortRule::argument,
       .argument = "pair k turns by pos / 10000^(2k/d): the exponents are 0, 2/d, 4/d, … and stay "
                   "below 1. With 0, 2, … all pairs but the first would stand still: 256 places "
                   "would turn the second one by less than 0.00001 radians"},
      {.id = "A2",
       .report = "A, C, D",
       .statement = "Accuracies of 45 to 55 % past the training lengths measure how well an "
                    "encoding extrapolates.",
       .predicate = "on the reports' sets at length 256 neither answer is given to 99 % or more",
       .evidence = "reports",
       .rule = SortRule::argument,
       .argument = "who gives one answer scores the share of that label, whatever the encoding: at "
                   "each of the four lengths reports A and C have two accuracies for all "
                   "encodings, and these add up to 1",
       .quantity = "share called sorted at length 256",
       .decides = {"reported-sinusoidal", "reported-learned", "reported-none"},
       .beside = {"reported-d-sinusoidal", "reported-d-learned", "sinusoidal-mean", "learned-mean",
                  "none-mean"},
       .holds =
           [](const SortMember& m, SortMembers) {
             const SortCell* cell = cell_at(m, kFar, "swaps", "uniform");
             return cell != nullptr ? Truth(!cell->constant) : std::nullopt;
           },
       .measured =
           [](const SortMember& m, SortMembers) {
             const SortCell* cell = cell_at(m, kFar, "swaps", "uniform");
             return cell != nullptr ? Value(cell->predicted_positive) : std::nullopt;
           }},
      {.id = "D2",
       .report = "D",
       .statement = "Min pooling captures violations.",
       .predicate = "a member without positions that pools by a symmetric function (here the mean) "
                    "scores more than .6 on one-swap twins at length 16",
       .evidence = "ingredients",
       .rule = SortRule::argument,
       .argument = "the minimum of a feature over the tokens is the same in every order of the "
                   "tokens: it can only pass on a violation that the layers before it have "
                   "written into one token, as the maximum, the mean or any other symmetric "
                   "function can",
       .quantity = "accuracy on one-swap twins at length 16",
       .decides = {"none-mean"},
       .beside = {"none-multi", "recipe"},
       .holds =
           [](const SortMember& m, SortMembers) {
             const Value twins = on_twins(m, kNear);
             return twins ? Truth(*twins > kFails) : std::nullopt;
           },
       .measured = [](const SortMember& m, SortMembers) { return on_twins(m, kNear); }},
  };
}

std::vector<WrittenSortClaim> encoding_claims() {
  return {
      {.id = "A3",
       .report = "A, C, D",
       .statement = "Sinusoidal positions extrapolate.",
       .predicate = "a member that learned the task in range scores at least .9 on `swaps` at "
                    "length 256",
       .evidence = "extrapolation",
       .quantity = "accuracy on swaps at length 256",
       .decides = {"sinusoidal-mean"},
       .beside = {"sinusoidal-multi", "reported-sinusoidal", "reported-d-sinusoidal"},
       .holds =
           [](const SortMember& m, SortMembers) {
             const Value far = extrapolated(m);
             return far ? Truth(*far >= kReaches) : std::nullopt;
           },
       .measured = [](const SortMember& m, SortMembers) { return extrapolated(m); }},
      {.id = "A4",
       .report = "A, C, D",
       .statement = "Learned positions fail past the training lengths.",
       .predicate = "a member that learned the task in range scores at most .6 on `swaps` at "
                    "length 256",
       .evidence = "extrapolation",
       .quantity = "accuracy on swaps at length 256",
       .decides = {"learned-mean"},
       .beside = {"learned-multi", "reported-learned", "reported-d-learned"},
       .holds =
           [](const SortMember& m, SortMembers) {
             const Value far = extrapolated(m);
             return far ? Truth(*far <= kFails) : std::nullopt;
           },
       .measured = [](const SortMember& m, SortMembers) { return extrapolated(m); }},
      {.id = "D3",
       .report = "D",
       .statement = "Learned positions do not learn the task even at the training lengths.",
       .predicate = "accuracy at the training lengths stays below the bar of what is called "
                    "learned",
       .evidence = "learned",
       .quantity = "accuracy at the training lengths",
       .decides = {"learned-mean"},
       .beside = {"learned-multi", "reported-learned", "reported-d-learned"},
       .holds = [](const SortMember& m, SortMembers) { return Truth(!m.learned); },
       .measured = [](const SortMember& m, SortMembers) { return Value(m.in_range); }},
  };
}

// NOLINTNEXTLINE(readability-function-size)
std::vector<WrittenSortClaim> pooling_claims() {
  return {
      {.id = "D4",
       .report = "D",
       .statement = "Mean pooling is the bottleneck of the sinusoidal model.",
       .predicate = "with `multi` a member scores at least .9 on `swaps` at length 256 where the "
                    "member of the same seed with the mean does not",
       .evidence = "extrapolation",
       .quantity = "accuracy on swaps at length 256, less that of the same seed with the mean",
       .decides = {"sinusoidal-multi"},
       .beside = {"learned-multi", "none-multi"},
       .holds = cured_by_multi,
       .measured = gain_over_mean},
      {.id = "D5",
       .report = "D",
       .statement = "Mean pooling is a bottleneck for an encoding that extrapolates.",
       .predicate = "with the mean in place of its pooling a member of the recipe scores less than "
                    ".9 on one-swap twins at length 256 where the recipe with the same seed scores "
                    "at least .9",
       .evidence = "ingredients",
       .quantity = "accuracy on one-swap twins at length 256",
       .decides = {"recipe-mean"},
       .holds = spoilt_by_mean,
       .measured = [](const SortMember& m, SortMembers) { return on_twins(m, kFar); }},
      {.id = "D6",
       .report = "D",
       .statement = "With `multi` there are significant gains for all three encodings.",
       .predicate = "with `multi` a member scores at least 5 points more on `swaps` at length 256 "
                    "than the member of the same seed with the mean",
       .evidence = "extrapolation",
       .quantity = "accuracy on swaps at length 256, less that of the same seed with the mean",
       .decides = {"sinusoidal-multi", "learned-multi", "none-multi"},
       .holds =
           [](const SortMember& m, SortMembers all) {
             const Value gain = gain_over_mean(m, all);
             return gain ? Truth(*gain >= kGain) : std::nullopt;
           },
       .measured = gain_over_mean},
      {.id = "A5",
       .report = "A, C, D",
       .statement = "The benchmark measures whether a model knows sorted from unsorted.",
       .predicate = "a member that scores at least .99 on `swaps` at length 256 scores more than "
                    ".6 on one-swap twins of that length",
       .evidence = "kinds",
       .rule = SortRule::counterexample,
       .quantity = "accuracy on one-swap twins at length 256",
       .holds = [](const SortMember& m, SortMembers) { return honest(m); },
       .measured = [](const SortMember& m,
                      SortMembers) { return honest(m) ? on_twins(m, kFar) : std::nullopt; }},
  };
}

}  // namespace

const SortCell* cell_at(const SortMember& member, std::int64_t length, std::string_view kind,
                        std::string_view values) {
  const SortCell* best = nullptr;
  int best_rank = -1;
  for (const SortCell& cell : member.cells) {
    if (cell.length != length || cell.kind != kind) continue;
    const int rank = (cell.values == values ? 2 : 0) + (cell.pairs_total > 0 ? 1 : 0);
    if (rank <= best_rank) continue;
    best = &cell;
    best_rank = rank;
  }
  return best;
}

std::vector<WrittenSortClaim> written_sort_claims() {
  std::vector<WrittenSortClaim> claims = logical_claims();
  for (auto part : {encoding_claims(), pooling_claims()})
    for (WrittenSortClaim& claim : part) claims.push_back(std::move(claim));
  return claims;
}

}  // namespace heddle
