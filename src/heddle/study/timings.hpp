// How long a study's members took: apart from the results, which are the same on every run.
#pragma once

#include <string>

#include "heddle/record/training_log.hpp"
#include "heddle/study/study.hpp"

namespace heddle {

struct MemberTiming {
  std::string member;
  int threads = 1;
  double exam_seconds = 0;
};

/// RUN/timing.json.
void write_timing(const std::string& run, const MemberTiming& timing);

/// STUDY/timings.json: those of all members, with the seconds of their trainings.
void write_timings(const Study& study, const std::string& folder);

/// The log of a run; empty where no training made one.
TrainingLog training_log_of(const std::string& run);

}  // namespace heddle
