// The claims of the reports on addition that argument settles; members illustrate them. A rule is
// changed here, in a commit of its own, and never after looking.
#include "heddle/study/addition/facts.hpp"
#include "heddle/study/addition/written_claims.hpp"

namespace heddle {
namespace {

std::optional<double> share_with_top_carry(const MemberRecord& member, AdditionMembers) {
  const auto total = static_cast<double>(member.test.greedy.total);
  return total > 0 ? std::optional(static_cast<double>(member.test.top_carry.total) / total)
                   : std::nullopt;
}

}  // namespace

// A list: long, not complicated.
// NOLINTNEXTLINE(readability-function-size)
std::vector<AdditionClaim> claims_settled_by_argument() {
  constexpr double kRare = 0.1;
  return {
      {{.id = "addition.C1",
        .report = "C",
        .statement = "Greedy accuracy lies far below teacher-forced accuracy because "
                     "mistakes cascade.",
        .predicate = "teacher-forced and greedy exact match differ on at least one test problem",
        .evidence = "members",
        .quantity = "test problems on which the two disagree",
        .argument = "before the first mistake both decodings read the same prefix, so they "
                    "agree on every problem unless the decoding itself is defective"},
       {.rule = VerdictRule::argument,
        .threshold = Threshold{.side = Threshold::Side::above, .value = 0}},
       [](const MemberRecord& m, AdditionMembers) {
         return std::optional(static_cast<double>(m.test.disagreements));
       }},
      {{.id = "addition.C2",
        .report = "C",
        .statement = "A decoder self-attention head passes the carry from the ones to the tens.",
        .predicate = "patching some decoder self-attention head moves at least a tenth of "
                     "the logit difference that the carry out of the units makes, and more "
                     "than its control",
        .evidence = "circuit",
        .quantity = "largest share moved by a decoder self-attention head",
        .argument = "the most significant digit is written first: when the tens are "
                    "written, the ones digit does not exist yet"},
       {.rule = VerdictRule::argument},
       [](const MemberRecord& m, AdditionMembers) {
         return share_moved(strongest_patch(m.patching, "decoder.*.self.head.*", 0));
       },
       [](const MemberRecord& m, AdditionMembers) {
         return moves_the_carry(strongest_patch(m.patching, "decoder.*.self.head.*", 0));
       }},
      {{.id = "addition.D1",
        .report = "D",
        .statement = "The answer is produced from right to left.",
        .predicate = "the units digit is the first one that the decoder writes",
        .evidence = "methods",
        .quantity = "place of the units digit in what is written",
        .argument = "the target is written most significant digit first; the decoder "
                    "cannot see what it has not written"},
       {.rule = VerdictRule::argument},
       [](const MemberRecord& m, AdditionMembers) {
         return std::optional(static_cast<double>(m.test.by_digit.size()));
       },
       [](const MemberRecord&, AdditionMembers) { return std::optional(false); }},
      {{.id = "addition.D2",
        .report = "D",
        .statement = "Thousands carries are rare.",
        .predicate = "fewer than a tenth of the test problems have a sum of one digit more",
        .evidence = "members",
        .quantity = "share of test problems with a thousands carry",
        .argument = "for operands 100 to 999 the sum reaches 1,000 in six of ten problems, "
                    "by counting"},
       {.rule = VerdictRule::argument,
        .threshold = Threshold{.side = Threshold::Side::below, .value = kRare}},
       share_with_top_carry},
      {{.id = "addition.D3",
        .report = "D",
        .statement = "Heads have row entropies of 5.88, 4.66, 2.19 and 5.76.",
        .predicate = "the mean row entropy of some head exceeds ln 7, the most a row of 7 "
                     "keys can have",
        .evidence = "roles",
        .quantity = "largest row entropy, as a share of the most possible",
        .argument = "a row of 7 keys has at most ln 7 = 1.946 nats; the reported numbers "
                    "are sums over all rows"},
       {.rule = VerdictRule::argument,
        .threshold = Threshold{.side = Threshold::Side::above, .value = 1}},
       [](const MemberRecord& m, AdditionMembers) {
         return value_of(largest(m.specialisation, "entropy"));
       }},
  };
}

}  // namespace heddle
