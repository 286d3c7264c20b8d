// The claims of the reports on addition about single heads. A rule is changed here, in a commit of
// its own, and never after looking.
#include "heddle/study/addition/facts.hpp"
#include "heddle/study/addition/written_claims.hpp"

namespace heddle {
namespace {

constexpr double kPoint = 0.01;       // one point of accuracy
constexpr double kFivePoints = 0.05;  // five
constexpr double kReportHeads = 24;   // of the reports' model

const Effect* most_critical(const MemberRecord& member) {
  const auto order = ranked(member.ablation, AblationMode::mean);
  return order.empty() ? nullptr : order.front();
}

std::optional<double> largest_drop(const MemberRecord& member, AdditionMembers) {
  const Effect* effect = most_critical(member);
  return effect != nullptr ? std::optional(effect->drop) : std::nullopt;
}

bool in_decoder_self(const std::string& module) {
  return module.starts_with("decoder.") && module.ends_with(".self");
}

std::optional<bool> deep_decoder_leads(const MemberRecord& member, AdditionMembers) {
  const Effect* effect = most_critical(member);
  if (effect == nullptr) return std::nullopt;
  const std::string module = module_of(effect->what);
  return in_decoder_self(module) && !module.starts_with("decoder.0.");
}

std::optional<bool> any_decoder_self_leads(const MemberRecord& member, AdditionMembers) {
  const Effect* effect = most_critical(member);
  if (effect == nullptr) return std::nullopt;
  return in_decoder_self(module_of(effect->what));
}

/// The joint cost of all heads that alone, zeroed, cost at most one point.
std::optional<double> cost_together(const MemberRecord& member, AdditionMembers) {
  for (const Effect& effect : member.ablation.together)
    if (effect.what == "within 1 point" && effect.mode == AblationMode::zero) return effect.drop;
  return std::nullopt;
}

std::optional<double> share_within(const MemberRecord& member, double points) {
  const std::size_t heads = ranked(member.ablation, AblationMode::zero).size();
  if (heads == 0) return std::nullopt;
  return static_cast<double>(within(member.ablation, AblationMode::zero, points)) /
         static_cast<double>(heads);
}

}  // namespace

// NOLINTNEXTLINE(readability-function-size)
std::vector<AdditionClaim> claims_about_heads() {
  return {
      {{.id = "addition.A1",
        .report = "A",
        .statement = "The most critical heads are deep decoder self-attention.",
        .predicate = "the head with the largest drop (mean ablation, exact match) sits in "
                     "decoder self-attention past the first decoder layer",
        .evidence = "ablation",
        .quantity = "largest drop"},
       {},
       largest_drop,
       deep_decoder_leads},
      {{.id = "addition.C3",
        .report = "C",
        .statement = "The most critical head is a decoder self-attention head.",
        .predicate = "the head with the largest drop (mean ablation, exact match) sits in "
                     "decoder self-attention of any layer",
        .evidence = "ablation",
        .quantity = "largest drop"},
       {},
       largest_drop,
       any_decoder_self_leads},
      {{.id = "addition.A2",
        .report = "A, B",
        .statement = "More than half of the heads can be pruned: 14 of 24 cost at most 1 point.",
        .predicate = "taking out at once all heads that alone, zeroed, cost at most 1 "
                     "point costs at most 1 point",
        .evidence = "pruning",
        .quantity = "joint cost of those heads"},
       {.threshold = Threshold{.side = Threshold::Side::at_most, .value = kPoint}},
       cost_together},
      {{.id = "addition.A3",
        .report = "A, B",
        .statement = "At least 14 of 24 heads cost at most 1 point each.",
        .predicate = "single zero ablation costs at most 1 point for at least 14 of 24 heads",
        .evidence = "pruning",
        .quantity = "share of heads within 1 point"},
       {.threshold = Threshold{.side = Threshold::Side::at_least, .value = 14 / kReportHeads}},
       [](const MemberRecord& m, AdditionMembers) { return share_within(m, kPoint); }},
      {{.id = "addition.D4",
        .report = "D",
        .statement = "At least 18 of 24 heads cost at most 5 points each.",
        .predicate = "single zero ablation costs at most 5 points for at least 18 of 24 heads",
        .evidence = "pruning",
        .quantity = "share of heads within 5 points"},
       {.threshold = Threshold{.side = Threshold::Side::at_least, .value = 18 / kReportHeads}},
       [](const MemberRecord& m, AdditionMembers) { return share_within(m, kFivePoints); }},
  };
}

}  // namespace heddle
