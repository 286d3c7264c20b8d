// See written_claims.hpp.
#include "heddle/study/addition/written_claims.hpp"

#include "heddle/base/fields.hpp"
#include "heddle/study/addition/recipes.hpp"

namespace heddle {

std::vector<AdditionClaim> written_addition_claims() {
  std::vector<AdditionClaim> claims;
  for (auto part : {claims_settled_by_argument(), claims_about_heads(), claims_about_the_circuit()})
    for (AdditionClaim& claim : part) claims.push_back(std::move(claim));
  for (AdditionClaim& claim : claims) {
    claim.rule.decides = {field_text(AdditionRecipe::tuned)};
    for (const AdditionRecipe recipe :
         {AdditionRecipe::corrected, AdditionRecipe::reported, AdditionRecipe::reported_zero})
      claim.rule.beside.push_back(field_text(recipe));
  }
  return claims;
}

}  // namespace heddle
