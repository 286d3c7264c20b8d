// Our matrix products against those of other libraries, on one thread.
#pragma once

#include <functional>
#include <string>

#include "heddle/record/bench.hpp"

namespace heddle {

/// Adds one duel for every form and shape, against each library that this machine has. Our side
/// lays its weights out anew in every call, as if every product had weights of its own.
void run_product_duels(const std::string& only, const std::function<void(const std::string&)>& told,
                       PeerReport& report);

}  // namespace heddle
