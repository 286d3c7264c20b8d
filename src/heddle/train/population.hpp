// Many members trained side by side: the one way in for studies, sweeps and the command. On a CPU
// each thread takes the next member; a GPU may stand behind the same call.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "heddle/base/parallel.hpp"
#include "heddle/config/config.hpp"
#include "heddle/train/loop.hpp"

namespace heddle {

/// What is done with a member when its turn comes.
enum class MemberTurn : std::uint8_t {
  train,
  has_weights,  ///< nothing is trained: its weights are in its folder (written by hand)
  skip          ///< somebody else does it, or has done it
};

/// How a training ended.
struct TrainedMember {
  TrainOutcome outcome = TrainOutcome::finished;
  std::string diverged;  ///< why it came to nothing; usually empty
};

/// Everything but the folders may be left out. The functions are called from several threads.
struct PopulationOptions {
  std::vector<std::string> runs;  ///< the folder of each member
  int threads = 1;                ///< one per member while there are enough of both
  Team* team = nullptr;           ///< trains one after another on this team instead
  std::vector<double> work = {};  ///< of each in any unit: the longest begin first
  /// Who is told about a member's training, and its snapshots.
  std::function<TrainObserver(std::size_t member)> observer = {};
  /// Asked when a thread is free for the member.
  std::function<MemberTurn(std::size_t member)> turn = {};
  /// Called on the member's thread, with its team, unless its training was stopped.
  std::function<void(std::size_t member, const TrainedMember& how, Team& team)> trained = {};
  bool keep_diverged = false;  ///< a training that diverges is a result, not an error
};

/// Trains every member as train_run() does: resumes what is there, the same bits for any threads
/// and whoever else is trained. Nothing for members that were skipped or never begun. The first
/// error is thrown when all threads are back; a thread whose training was stopped begins no other.
std::vector<std::optional<TrainedMember>> train_population(std::span<const Config> members,
                                                           const PopulationOptions& options);

}  // namespace heddle
