// The memory that a training takes, worked out before it is begun.
#pragma once

#include "heddle/config/config.hpp"

namespace heddle {

/// Bytes that the training of a member takes at least (measured, it takes up to twice as many): its
/// weights with all that is kept beside them, and what the passes that run at the same time leave
/// for their way back, of a token in a block 6 d_model + d_ff numbers.
double training_memory(const Config& config, int threads);

/// UsageError with both numbers where the system does not offer so much.
void check_training_memory(const Config& config, int threads);

}  // namespace heddle
