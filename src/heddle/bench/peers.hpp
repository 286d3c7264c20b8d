// Heddle beside other programs that do the same work: PyTorch, and libraries of matrix products.
#pragma once

#include <functional>
#include <string>

#include "heddle/record/bench.hpp"

namespace heddle {

struct PeerOptions {
  int threads = 1;                               ///< everybody on 1 thread and on this many
  double seconds = 1;                            ///< of a turn
  std::string folder;                            ///< where peer.py is
  std::string only{};                            ///< duels whose names hold this text
  std::function<void(const std::string&)> told;  ///< what is going on, or missing; may throw
};

/// The folder of the PyTorch programs: bench/peers beside or above one of these places. FileError
/// where there is none.
std::string find_peers(const std::vector<std::string>& places);

/// Training steps, answers and ablations against PyTorch, products against OpenBLAS and oneDNN.
/// FileError without PyTorch: it says how to get it.
PeerReport run_peers(const PeerOptions& options);

}  // namespace heddle
