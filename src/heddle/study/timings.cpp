// See timings.hpp.
#include "heddle/study/timings.hpp"

#include "heddle/base/checked_json.hpp"
#include "heddle/base/file.hpp"

namespace heddle {

namespace {
constexpr const char* kAdvice = "; write {} there to go on without it";
}  // namespace

void write_timing(const std::string& run, const MemberTiming& timing) {
  write_checked_json(run + "/timing.json", {{"member", timing.member},
                                            {"threads", timing.threads},
                                            {"exam_seconds", timing.exam_seconds}});
}

void write_timings(const Study& study, const std::string& folder) {
  Json members = Json::array();
  for (const StudyMember& member : study.members) {
    const std::string run = fmt::format("{}/{}", folder, member.folder());
    Json row = read_checked_json(run + "/timing.json", kAdvice);
    const TrainingLog log = training_log_of(run);
    row["train_seconds"] = log.rows.empty() ? 0 : log.rows.back().seconds;
    members.push_back(row);
  }
  write_file(folder + "/timings.json", json_line({{"members", members}}));
}

TrainingLog training_log_of(const std::string& run) {
  const std::string path = run + "/training_log.json";
  return file_exists(path) ? read_training_log(path) : TrainingLog{};
}

}  // namespace heddle
