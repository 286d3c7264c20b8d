// See written_claims.hpp. A rule is changed here, in a commit of its own, and never after looking.
#include "heddle/study/addition/written_claims.hpp"

#include "heddle/lens/stats/stats.hpp"
#include "heddle/study/addition/facts.hpp"

namespace heddle {
namespace {

constexpr double kPoint = 0.01;       // one point of accuracy
constexpr double kFivePoints = 0.05;  // five
constexpr double kPatch = 0.10;       // a tenth of the logit difference: the least that counts
constexpr double kHeads = 24;         // of the reports' model

using Truth = std::optional<bool>;
using ClaimValue = std::optional<double>;

// ── what is asked of a member ──

const Effect* most_critical(const MemberRecord& member) {
  const auto order = ranked(member.ablation, "mean");
  return order.empty() ? nullptr : order.front();
}

ClaimValue largest_drop(const MemberRecord& member) {
  const Effect* effect = most_critical(member);
  return effect != nullptr ? ClaimValue(effect->drop) : std::nullopt;
}

bool is_deep_decoder_self(const std::string& module) {
  return module.starts_with("decoder.") && module.ends_with(".self") &&
         !module.starts_with("decoder.0.");
}

Truth deep_decoder_leads(const MemberRecord& member) {
  const Effect* effect = most_critical(member);
  return effect != nullptr ? Truth(is_deep_decoder_self(module_of(effect->what))) : std::nullopt;
}

Truth any_decoder_self_leads(const MemberRecord& member) {
  const Effect* effect = most_critical(member);
  if (effect == nullptr) return std::nullopt;
  const std::string module = module_of(effect->what);
  return module.starts_with("decoder.") && module.ends_with(".self");
}

/// The joint cost of all heads that alone, zeroed, cost at most one point.
ClaimValue cost_together(const MemberRecord& member) {
  for (const Effect& effect : member.ablation.together)
    if (effect.what == "within 1 point" && effect.mode == "zero") return effect.drop;
  return std::nullopt;
}

Truth go_together(const MemberRecord& member) {
  const ClaimValue cost = cost_together(member);
  return cost ? Truth(*cost <= kPoint) : std::nullopt;
}

ClaimValue share_within(const MemberRecord& member, double points) {
  if (ranked(member.ablation, "zero").empty()) return std::nullopt;
  const auto heads = static_cast<double>(ranked(member.ablation, "zero").size());
  return static_cast<double>(within(member.ablation, "zero", points)) / heads;
}

Truth reaches(const std::optional<PatchPeak>& peak) {
  return peak ? Truth(peak->effect >= kPatch && peak->low > peak->control) : std::nullopt;
}

ClaimValue effect_of_peak(const std::optional<PatchPeak>& peak) {
  return peak ? ClaimValue(peak->effect) : std::nullopt;
}

Truth not_of(Truth truth) {
  return truth ? Truth(!*truth) : std::nullopt;
}

ClaimValue value_of(const std::optional<HeadMeasure>& measure) {
  return measure ? ClaimValue(measure->value) : std::nullopt;
}

Truth above_twice_uniform(const std::optional<HeadMeasure>& measure) {
  return measure ? Truth(measure->value > 2 * measure->uniform) : std::nullopt;
}

// ── the claims ──

// A list: long, not complicated.
// NOLINTNEXTLINE(readability-function-size)
std::vector<WrittenClaim> logical_claims() {
  return {
      {.id = "C1",
       .report = "C",
       .statement = "Greedy accuracy lies far below teacher-forced accuracy because mistakes "
                    "cascade.",
       .predicate = "teacher-forced and greedy exact match differ on at least one test problem",
       .evidence = "members",
       .argument = "before the first mistake both decodings read the same prefix, so they agree on "
                   "every problem unless the decoding itself is defective",
       .quantity = "test problems on which the two disagree",
       .holds = [](const MemberRecord& m) { return Truth(m.test.disagreements > 0); },
       .measured =
           [](const MemberRecord& m) {
             return ClaimValue(static_cast<double>(m.test.disagreements));
           }},
      {.id = "C2",
       .report = "C",
       .statement = "A decoder self-attention head passes the carry from the ones to the tens.",
       .predicate = "patching some decoder self-attention head moves at least a tenth of the logit "
                    "difference that the carry out of the units makes, and more than its control",
       .evidence = "circuit",
       .argument =
           "the most significant digit is written first: when the tens are written, the ones "
           "digit does not exist yet",
       .quantity = "largest share moved by a decoder self-attention head",
       .holds =
           [](const MemberRecord& m) {
             return reaches(strongest_patch(m.patching, "decoder.*.self.head.*", 0));
           },
       .measured =
           [](const MemberRecord& m) {
             return effect_of_peak(strongest_patch(m.patching, "decoder.*.self.head.*", 0));
           }},
      {.id = "D1",
       .report = "D",
       .statement = "The answer is produced from right to left.",
       .predicate = "the units digit is the first one that the decoder writes",
       .evidence = "methods",
       .argument =
           "the target is written most significant digit first; the decoder cannot see what "
           "it has not written",
       .quantity = "place of the units digit in what is written",
       .holds = [](const MemberRecord&) { return Truth(false); },
       .measured =
           [](const MemberRecord& m) {
             return ClaimValue(static_cast<double>(m.test.by_digit.size()));
           }},
      {.id = "D2",
       .report = "D",
       .statement = "Thousands carries are rare.",
       .predicate = "fewer than a tenth of the test problems have a sum of one digit more",
       .evidence = "members",
       .argument =
           "for operands 100 to 999 the sum reaches 1,000 in six of ten problems, by counting",
       .quantity = "share of test problems with a thousands carry",
       .holds =
           [](const MemberRecord& m) {
             constexpr double kRare = 0.1;
             return m.test.greedy.total > 0
                        ? Truth(static_cast<double>(m.test.top_carry.total) <
                                kRare * static_cast<double>(m.test.greedy.total))
                        : std::nullopt;
           },
       .measured =
           [](const MemberRecord& m) {
             return m.test.greedy.total > 0
                        ? ClaimValue(static_cast<double>(m.test.top_carry.total) /
                                     static_cast<double>(m.test.greedy.total))
                        : std::nullopt;
           }},
      {.id = "D3",
       .report = "D",
       .statement = "Heads have row entropies of 5.88, 4.66, 2.19 and 5.76.",
       .predicate =
           "the mean row entropy of some head exceeds ln 7, the most a row of 7 keys can have",
       .evidence = "roles",
       .argument =
           "a row of 7 keys has at most ln 7 = 1.946 nats; the reported numbers are sums over "
           "all rows",
       .quantity = "largest row entropy, as a share of the most possible",
       .holds =
           [](const MemberRecord& m) {
             const ClaimValue most = value_of(largest(m.specialisation, "entropy"));
             return most ? Truth(*most > 1) : std::nullopt;
           },
       .measured =
           [](const MemberRecord& m) { return value_of(largest(m.specialisation, "entropy")); }},
  };
}

// NOLINTNEXTLINE(readability-function-size)
std::vector<WrittenClaim> head_claims() {
  return {
      {.id = "A1",
       .report = "A",
       .statement = "The most critical heads are deep decoder self-attention.",
       .predicate = "the head with the largest drop (mean ablation, exact match) sits in decoder "
                    "self-attention past the first decoder layer",
       .evidence = "ablation",
       .argument = "",
       .quantity = "largest drop",
       .holds = deep_decoder_leads,
       .measured = largest_drop},
      {.id = "C3",
       .report = "C",
       .statement = "The most critical head is a decoder self-attention head.",
       .predicate = "the head with the largest drop (mean ablation, exact match) sits in decoder "
                    "self-attention of any layer",
       .evidence = "ablation",
       .argument = "",
       .quantity = "largest drop",
       .holds = any_decoder_self_leads,
       .measured = largest_drop},
      {.id = "A2",
       .report = "A, B",
       .statement = "More than half of the heads can be pruned: 14 of 24 cost at most 1 point.",
       .predicate =
           "taking out at once all heads that alone, zeroed, cost at most 1 point costs at "
           "most 1 point",
       .evidence = "pruning",
       .argument = "",
       .quantity = "joint cost of those heads",
       .holds = go_together,
       .measured = cost_together},
      {.id = "A3",
       .report = "A, B",
       .statement = "At least 14 of 24 heads cost at most 1 point each.",
       .predicate = "single zero ablation costs at most 1 point for at least 14 of 24 heads",
       .evidence = "pruning",
       .argument = "",
       .quantity = "share of heads within 1 point",
       .holds =
           [](const MemberRecord& m) {
             constexpr double kReported = 14 / kHeads;
             const ClaimValue share = share_within(m, kPoint);
             return share ? Truth(*share >= kReported) : std::nullopt;
           },
       .measured = [](const MemberRecord& m) { return share_within(m, kPoint); }},
      {.id = "D4",
       .report = "D",
       .statement = "At least 18 of 24 heads cost at most 5 points each.",
       .predicate = "single zero ablation costs at most 5 points for at least 18 of 24 heads",
       .evidence = "pruning",
       .argument = "",
       .quantity = "share of heads within 5 points",
       .holds =
           [](const MemberRecord& m) {
             constexpr double kReported = 18 / kHeads;
             const ClaimValue share = share_within(m, kFivePoints);
             return share ? Truth(*share >= kReported) : std::nullopt;
           },
       .measured = [](const MemberRecord& m) { return share_within(m, kFivePoints); }},
  };
}

std::vector<WrittenClaim> circuit_claims() {
  return {
      {.id = "D5",
       .report = "D",
       .statement = "Encoder heads cannot compute carries.",
       .predicate = "no encoder head, patched, moves a tenth of the logit difference that a carry "
                    "makes beyond its control",
       .evidence = "circuit",
       .argument = "",
       .quantity = "largest share moved by an encoder head",
       .holds =
           [](const MemberRecord& m) {
             return not_of(reaches(strongest_patch(m.patching, "encoder.**")));
           },
       .measured =
           [](const MemberRecord& m) {
             return effect_of_peak(strongest_patch(m.patching, "encoder.**"));
           }},
      {.id = "C4",
       .report = "C",
       .statement = "Attention is not aligned with columns (alignment 7.44e-05).",
       .predicate = "no head gives its own column more than twice the attention of a uniform head",
       .evidence = "roles",
       .argument = "",
       .quantity = "largest attention to the own column",
       .holds =
           [](const MemberRecord& m) {
             return not_of(above_twice_uniform(largest(m.specialisation, "aligned")));
           },
       .measured =
           [](const MemberRecord& m) { return value_of(largest(m.specialisation, "aligned")); }},
      {.id = "D6",
       .report = "D",
       .statement = "Heads specialise on the operator (7.5 % and 9.0 % of their attention).",
       .predicate = "some encoder head gives '+' more than twice the attention of a uniform head",
       .evidence = "roles",
       .argument = "",
       .quantity = "largest attention of an encoder head to the operator",
       .holds =
           [](const MemberRecord& m) {
             return above_twice_uniform(largest(m.specialisation, "operator", "encoder.**"));
           },
       .measured =
           [](const MemberRecord& m) {
             return value_of(largest(m.specialisation, "operator", "encoder.**"));
           }},
  };
}

}  // namespace

std::vector<WrittenClaim> written_claims() {
  std::vector<WrittenClaim> claims = logical_claims();
  for (auto part : {head_claims(), circuit_claims()})
    for (WrittenClaim& claim : part) claims.push_back(std::move(claim));
  return claims;
}

}  // namespace heddle
