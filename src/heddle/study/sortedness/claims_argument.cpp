// The claims of the reports on sortedness that argument settles; members illustrate them. A rule is
// changed here, in a commit of its own, and never after looking.
#include "heddle/study/sortedness/facts.hpp"
#include "heddle/study/sortedness/recipes.hpp"
#include "heddle/study/sortedness/written_claims.hpp"

namespace heddle {

// A list: long, not complicated.
// NOLINTNEXTLINE(readability-function-size)
std::vector<SortednessClaim> sortedness_claims_settled_by_argument() {
  return {
      {{.id = "sortedness.A1",
        .report = "A, C, D",
        .statement = "With sinusoidal positions the attention logits depend on t − s only.",
        .predicate = "(P_t W_Q)·(P_s W_K) is the same for all pairs of places at one distance",
        .evidence = "explanations",
        .argument =
            "P_t·P_s alone depends on t − s. A logit is P_t W_Q W_Kᵀ P_sᵀ beside terms with "
            "the tokens: it depends on t − s only if W_Q W_Kᵀ treats every pair of sine and "
            "cosine as a scaled rotation and mixes no two pairs; nothing in training asks "
            "for that"},
       {.rule = VerdictRule::argument}},
      {{.id = "sortedness.D1",
        .report = "D",
        .statement = "Written out, the exponents of PE(pos) are 0, 2, ….",
        .predicate = "pair k of the encoding turns by pos / 10000^(2k)",
        .evidence = "explanations",
        .argument = "pair k turns by pos / 10000^(2k/d): the exponents are 0, 2/d, 4/d, … and stay "
                    "below 1. With 0, 2, … all pairs but the first would stand still: 256 places "
                    "would turn the second one by less than 0.00001 radians"},
       {.rule = VerdictRule::argument}},
      {{.id = "sortedness.A2",
        .report = "A, C, D",
        .statement = "Accuracies of 45 to 55 % past the training lengths measure how well an "
                     "encoding extrapolates.",
        .predicate = "on the reports' sets at length 256 neither answer is given to 99 % or more",
        .evidence = "reports",
        .quantity = "share called sorted at length 256",
        .argument =
            "who gives one answer scores the share of that label, whatever the encoding: at "
            "each of the four lengths reports A and C have two accuracies for all "
            "encodings, and these add up to 1"},
       {.rule = VerdictRule::argument,
        .decides = {reported_recipe(PositionKind::sinusoidal),
                    reported_recipe(PositionKind::learned), reported_recipe(PositionKind::none)},
        .beside = {report_d_recipe(PositionKind::sinusoidal),
                   report_d_recipe(PositionKind::learned),
                   required_recipe(PositionKind::sinusoidal, PoolingSetting::mean),
                   required_recipe(PositionKind::learned, PoolingSetting::mean),
                   required_recipe(PositionKind::none, PoolingSetting::mean)}},
       [](const SortMember& m, SortednessMembers) {
         const SortCell* cell = benchmark_cell(m);
         return cell != nullptr ? std::optional(cell->predicted_positive) : std::nullopt;
       },
       [](const SortMember& m, SortednessMembers) {
         const SortCell* cell = benchmark_cell(m);
         return cell != nullptr ? std::optional(!cell->constant) : std::nullopt;
       }},
      {{.id = "sortedness.D2",
        .report = "D",
        .statement = "Min pooling captures violations.",
        .predicate =
            "a member without positions that pools by a symmetric function (here the mean) "
            "scores more than .6 on one-swap twins at length 16",
        .evidence = "ingredients",
        .quantity = "accuracy on one-swap twins at length 16",
        .argument = "the minimum of a feature over the tokens is the same in every order of the "
                    "tokens: it can only pass on a violation that the layers before it have "
                    "written into one token, as the maximum, the mean or any other symmetric "
                    "function can"},
       {.rule = VerdictRule::argument,
        .decides = {required_recipe(PositionKind::none, PoolingSetting::mean)},
        .beside = {required_recipe(PositionKind::none, PoolingSetting::multi), tuned_recipe()},
        .threshold = Threshold{.side = Threshold::Side::above, .value = kFails}},
       [](const SortMember& m, SortednessMembers) { return on_twins(m, kNearLength); }},
  };
}

}  // namespace heddle
