// See progress_board.hpp.
#include "heddle/study/progress_board.hpp"

namespace heddle {

ProgressBoard::ProgressBoard(const Study& study, const std::vector<std::size_t>& members,
                             const StudyObserver& observer)
    : study_(study), members_(members), observer_(observer), shares_(study.members.size()) {
  for (const std::size_t member : members) total_ += study.members[member].work;
}

void ProgressBoard::set(std::size_t member, double share, const std::string& what) {
  throw_if_stopped();
  const std::scoped_lock lock(lock_);
  shares_[member] = share;
  double done = 0;
  for (const std::size_t i : members_) done += shares_[i] * study_.members[i].work;
  if (observer_.progress) observer_.progress(done / total_, what);
}

void ProgressBoard::note(const std::string& line) {
  const std::scoped_lock lock(lock_);
  if (observer_.note) observer_.note(line);
}

void ProgressBoard::throw_if_stopped() const {
  if (stopped()) throw StudyStopped("stopped");
}

}  // namespace heddle
