// Questions for tests of lenses: additions as a member reads them.
#pragma once

#include <span>

#include "heddle/lens/asked.hpp"
#include "heddle/task/addition/words.hpp"

namespace heddle::testing {

inline EncodedQuestions rows_of(const Member& member, std::span<const Problem> problems) {
  return encoded(member, questions_of(problems));
}

}  // namespace heddle::testing
