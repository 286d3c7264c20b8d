// A study as data and functions: its members, how one is examined, what all of them together say.
// run_members.hpp does the rest.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "heddle/base/check.hpp"
#include "heddle/base/json.hpp"
#include "heddle/base/parallel.hpp"
#include "heddle/config/config.hpp"

namespace heddle {

enum class StudyKind : std::uint8_t { addition, sortedness, sweep };
constexpr std::array<std::string_view, 3> names_of(StudyKind) {
  return {"addition", "sortedness", "sweep"};
}

/// Somebody asked to stop; what is finished is on disk.
class StudyStopped : public Error {
 public:
  using Error::Error;
};

/// Who hears what happens; called from several threads, one at a time.
struct StudyObserver {
  std::function<void(double share, const std::string& what)> progress;
  std::function<void(const std::string& line)> note;
  std::function<bool()> stop;  ///< true: save and leave
};

/// One member: an ordinary run in STUDY/members/NAME.
struct StudyMember {
  std::string name;   ///< "tuned-1", "heads=2+lr=0.001/seed-1"
  std::string label;  ///< for people: "tuned 1", "2 · 0.001, seed 1"
  Config config;
  double work = 1;           ///< in any unit of the study's: the most begin first
  double training_part = 1;  ///< share of the work that is training, about
  /// Instead of a training, for weights that are known; empty: it is trained.
  std::function<void(const std::string& run)> write_weights = {};
  std::vector<std::int64_t> snapshots = {};  ///< steps whose weights the examination needs

  /// From the study's folder: "members/tuned-1".
  std::string folder() const { return "members/" + name; }
};

/// What an examination works with.
struct ExamRequest {
  std::string run;       ///< the member's folder
  std::string diverged;  ///< why its training came to nothing; usually empty
  Team& team;
  std::function<void(double share)> progress;  ///< called often; throws StudyStopped
};

/// What an examination leaves.
struct ExamResult {
  Json record;       ///< an object: what the member's record_file holds, with a checksum
  std::string note;  ///< a line for the reader; may be empty
};

/// What a conclusion works with.
struct ConcludeRequest {
  std::string folder;  ///< the study's
  int threads = 1;
  std::function<void(const std::string& what)> progress;  ///< called often; throws StudyStopped
};

struct Study {
  StudyKind kind = StudyKind::addition;
  std::string command;  ///< that makes it, as results quote it
  std::vector<StudyMember> members;
  std::string record_file;     ///< a member is done when its folder holds it: "analysis.json"
  bool keep_diverged = false;  ///< a training that diverges is a result, not an error

  /// Writes what the study is into a new folder; UsageError for a folder of another study.
  std::function<void(const std::string& folder)> claim_folder;
  /// Called once the member's weights are there; the same record for any team and any call.
  std::function<ExamResult(std::size_t member, const ExamRequest& request)> examine;
  /// The content of results.json, from the records of all members.
  std::function<std::string(const ConcludeRequest& request)> conclude;
};

}  // namespace heddle
