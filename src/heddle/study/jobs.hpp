// A study's members side by side: each thread takes the next one, the longest first; told to the
// observer as one progress; stopped at any point.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "heddle/base/check.hpp"
#include "heddle/base/parallel.hpp"
#include "heddle/study/addition/addition.hpp"

namespace heddle {

/// Somebody asked to stop; what is finished is on disk.
class StudyStopped : public Error {
 public:
  using Error::Error;
};

/// Tells how far a job is, 0 … 1, and what it does; throws StudyStopped when it is time to leave.
using JobProgress = std::function<void(double share, const std::string& what)>;

struct StudyJob {
  std::string name;
  double work = 1;  ///< in any unit; shares the progress bar out
  std::function<void(Team& team, const JobProgress& progress)> run;
};

/// Runs all of them, one per thread at a time. The first error is thrown when all threads are back.
void run_jobs(const std::vector<StudyJob>& jobs, int threads, const StudyObserver& observer);

/// Writes what the study is into a new folder; refuses one that holds another study.
void claim_study_folder(const std::string& folder, const std::string& identity);

}  // namespace heddle
