// What each head attends to on questions of any task, in numbers, each beside the value of a
// uniform head (docs/roles.md).
#pragma once

#include <span>

#include "heddle/base/parallel.hpp"
#include "heddle/lens/watch.hpp"
#include "heddle/model/input.hpp"
#include "heddle/model/member.hpp"
#include "heddle/record/attention.hpp"

namespace heddle {

/// Measures that need nothing but a sequence: places and equal tokens. Padding takes no part, as
/// query or as key, nor do keys that a mask hides. What a measure finds no row for is left out.
/// Same bits for any team; `as_reported` stays empty.
Specialisation specialise_words(const Member& member, const EncodedQuestions& questions, Team& team,
                                const DecodeProgress& progress = {});

}  // namespace heddle
