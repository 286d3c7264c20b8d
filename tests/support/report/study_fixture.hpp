// A made-up addition study with every part filled: what reports are tried on.
#pragma once

#include "heddle/record/addition_study.hpp"

namespace heddle::testing {

/// Two recipes ("tuned", "reported") of `members` members each; the same numbers on every call.
AdditionStudy study_fixture(int members = 3);

/// A study with one member of which almost nothing is known: empty lists, numbers that are none.
AdditionStudy bare_study();

}  // namespace heddle::testing
