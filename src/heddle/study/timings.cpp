// See timings.hpp.
#include "heddle/study/timings.hpp"

#include "heddle/base/file.hpp"
#include "heddle/base/json.hpp"

namespace heddle {

void write_timing(const std::string& run, const MemberTiming& timing) {
  write_file(run + "/timing.json", json_line({{"member", timing.member},
                                              {"threads", timing.threads},
                                              {"exam_seconds", timing.exam_seconds}}));
}

void write_timings(const Study& study, const std::string& folder) {
  Json members = Json::array();
  for (const StudyMember& member : study.members) {
    const std::string run = fmt::format("{}/{}", folder, member.folder());
    Json row = Json::parse(read_file(run + "/timing.json"));
    const TrainingLog log = training_log_of(run);
    row["train_seconds"] = log.rows.empty() ? 0 : log.rows.back().seconds;
    members.push_back(row);
  }
  write_file(folder + "/timings.json", json_line({{"members", members}}));
}

TrainingLog training_log_of(const std::string& run) {
  const std::string path = run + "/training_log.json";
  return file_exists(path) ? parse_training_log(read_file(path)) : TrainingLog{};
}

}  // namespace heddle
