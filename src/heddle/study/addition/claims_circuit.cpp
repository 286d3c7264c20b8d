// The claims of the reports on addition about how carries are computed. A rule is changed here, in
// a commit of its own, and never after looking.
#include "heddle/study/addition/facts.hpp"
#include "heddle/study/addition/written_claims.hpp"

namespace heddle {
namespace {

std::optional<bool> not_of(std::optional<bool> truth) {
  return truth ? std::optional(!*truth) : std::nullopt;
}

std::optional<bool> above_twice_uniform(const std::optional<HeadMeasure>& measure) {
  return measure ? std::optional(measure->value > 2 * measure->uniform) : std::nullopt;
}

}  // namespace

std::vector<AdditionClaim> claims_about_the_circuit() {
  return {
      {{.id = "addition.D5",
        .report = "D",
        .statement = "Encoder heads cannot compute carries.",
        .predicate = "no encoder head, patched, moves a tenth of the logit difference that "
                     "a carry makes beyond its control",
        .evidence = "circuit",
        .quantity = "largest share moved by an encoder head"},
       {},
       [](const MemberRecord& m, AdditionMembers) {
         return share_moved(strongest_patch(m.patching, "encoder.**"));
       },
       [](const MemberRecord& m, AdditionMembers) {
         return not_of(moves_the_carry(strongest_patch(m.patching, "encoder.**")));
       }},
      {{.id = "addition.C4",
        .report = "C",
        .statement = "Attention is not aligned with columns (alignment 7.44e-05).",
        .predicate = "no head gives its own column more than twice the attention of a uniform head",
        .evidence = "roles",
        .quantity = "largest attention to the own column"},
       {},
       [](const MemberRecord& m, AdditionMembers) {
         return value_of(largest(m.specialisation, "aligned"));
       },
       [](const MemberRecord& m, AdditionMembers) {
         return not_of(above_twice_uniform(largest(m.specialisation, "aligned")));
       }},
      {{.id = "addition.D6",
        .report = "D",
        .statement = "Heads specialise on the operator (7.5 % and 9.0 % of their attention).",
        .predicate = "some encoder head gives '+' more than twice the attention of a uniform head",
        .evidence = "roles",
        .quantity = "largest attention of an encoder head to the operator"},
       {},
       [](const MemberRecord& m, AdditionMembers) {
         return value_of(largest(m.specialisation, "operator", "encoder.**"));
       },
       [](const MemberRecord& m, AdditionMembers) {
         return above_twice_uniform(largest(m.specialisation, "operator", "encoder.**"));
       }},
  };
}

}  // namespace heddle
