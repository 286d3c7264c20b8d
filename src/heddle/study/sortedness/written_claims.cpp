// See written_claims.hpp. A rule is changed here, in a commit of its own, and never after
// looking.
#include "heddle/study/sortedness/written_claims.hpp"

#include "heddle/study/sortedness/facts.hpp"
#include "heddle/study/sortedness/recipes.hpp"

namespace heddle {
namespace {

constexpr double kGain = 0.05;  // five points: the least that is called a significant gain

std::vector<SortednessClaim> claims_about_encodings() {
  return {
      {{.id = "sortedness.A3",
        .report = "A, C, D",
        .statement = "Sinusoidal positions extrapolate.",
        .predicate = "a member that learned the task in range scores at least .9 on `swaps` at "
                     "length 256",
        .evidence = "extrapolation",
        .quantity = "accuracy on swaps at length 256"},
       {.decides = {required_recipe(PositionKind::sinusoidal, PoolingSetting::mean)},
        .beside = {required_recipe(PositionKind::sinusoidal, PoolingSetting::multi),
                   reported_recipe(PositionKind::sinusoidal),
                   report_d_recipe(PositionKind::sinusoidal)},
        .threshold = Threshold{.side = Threshold::Side::at_least, .value = kReaches}},
       extrapolated_accuracy},
      {{.id = "sortedness.A4",
        .report = "A, C, D",
        .statement = "Learned positions fail past the training lengths.",
        .predicate = "a member that learned the task in range scores at most .6 on `swaps` at "
                     "length 256",
        .evidence = "extrapolation",
        .quantity = "accuracy on swaps at length 256"},
       {.decides = {required_recipe(PositionKind::learned, PoolingSetting::mean)},
        .beside = {required_recipe(PositionKind::learned, PoolingSetting::multi),
                   reported_recipe(PositionKind::learned), report_d_recipe(PositionKind::learned)},
        .threshold = Threshold{.side = Threshold::Side::at_most, .value = kFails}},
       extrapolated_accuracy},
      {{.id = "sortedness.D3",
        .report = "D",
        .statement = "Learned positions do not learn the task even at the training lengths.",
        .predicate = "accuracy at the training lengths stays below the bar of what is called "
                     "learned",
        .evidence = "learned",
        .quantity = "accuracy at the training lengths"},
       {.decides = {required_recipe(PositionKind::learned, PoolingSetting::mean)},
        .beside = {required_recipe(PositionKind::learned, PoolingSetting::multi),
                   reported_recipe(PositionKind::learned), report_d_recipe(PositionKind::learned)}},
       [](const SortMember& m, SortednessMembers) { return std::optional(m.in_range); },
       [](const SortMember& m, SortednessMembers) { return std::optional(!m.learned); }},
  };
}

// NOLINTNEXTLINE(readability-function-size)
std::vector<SortednessClaim> claims_about_pooling() {
  return {
      {{.id = "sortedness.D4",
        .report = "D",
        .statement = "Mean pooling is the bottleneck of the sinusoidal model.",
        .predicate = "with `multi` a member scores at least .9 on `swaps` at length 256 where the "
                     "member of the same seed with the mean does not",
        .evidence = "extrapolation",
        .quantity = "accuracy on swaps at length 256, less that of the same seed with the mean"},
       {.decides = {required_recipe(PositionKind::sinusoidal, PoolingSetting::multi)},
        .beside = {required_recipe(PositionKind::learned, PoolingSetting::multi),
                   required_recipe(PositionKind::none, PoolingSetting::multi)}},
       gain_over_mean,
       extrapolates_only_with_multi},
      {{.id = "sortedness.D5",
        .report = "D",
        .statement = "Mean pooling is a bottleneck for an encoding that extrapolates.",
        .predicate =
            "with the mean in place of its pooling a member of the recipe scores less than "
            ".9 on one-swap twins at length 256 where the recipe with the same seed scores "
            "at least .9",
        .evidence = "ingredients",
        .quantity = "accuracy on one-swap twins at length 256"},
       {.decides = {contrast_recipe(field_text(PoolingSetting::mean))}},
       [](const SortMember& m, SortednessMembers) { return on_twins(m, kFarLength); },
       fails_only_with_mean},
      {{.id = "sortedness.D6",
        .report = "D",
        .statement = "With `multi` there are significant gains for all three encodings.",
        .predicate = "with `multi` a member scores at least 5 points more on `swaps` at length 256 "
                     "than the member of the same seed with the mean",
        .evidence = "extrapolation",
        .quantity = "accuracy on swaps at length 256, less that of the same seed with the mean"},
       {.decides = {required_recipe(PositionKind::sinusoidal, PoolingSetting::multi),
                    required_recipe(PositionKind::learned, PoolingSetting::multi),
                    required_recipe(PositionKind::none, PoolingSetting::multi)},
        .threshold = Threshold{.side = Threshold::Side::at_least, .value = kGain}},
       gain_over_mean},
      {{.id = "sortedness.A5",
        .report = "A, C, D",
        .statement = "The benchmark measures whether a model knows sorted from unsorted.",
        .predicate = "a member that scores at least .99 on `swaps` at length 256 scores more than "
                     ".6 on one-swap twins of that length",
        .evidence = "kinds",
        .quantity = "accuracy on one-swap twins at length 256"},
       {.rule = VerdictRule::counterexample,
        .threshold = Threshold{.side = Threshold::Side::above, .value = kFails}},
       [](const SortMember& m, SortednessMembers) { return twins_if_solved(m); }},
  };
}

}  // namespace

std::vector<SortednessClaim> written_sortedness_claims() {
  std::vector<SortednessClaim> claims = sortedness_claims_settled_by_argument();
  for (auto part : {claims_about_encodings(), claims_about_pooling()})
    for (SortednessClaim& claim : part) claims.push_back(std::move(claim));
  return claims;
}

}  // namespace heddle
