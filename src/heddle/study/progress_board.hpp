// How far the members of one call are, for the observer; any thread may speak.
#pragma once

#include <mutex>
#include <string>
#include <vector>

#include "heddle/study/study.hpp"

namespace heddle {

class ProgressBoard {
 public:
  /// `members` are those that count; all three must outlive the board.
  ProgressBoard(const Study& study, const std::vector<std::size_t>& members,
                const StudyObserver& observer);

  /// So much of the member is done, and this is what happens; StudyStopped if it is time to leave.
  void set(std::size_t member, double share, const std::string& what);
  void note(const std::string& line);
  bool stopped() const { return observer_.stop && observer_.stop(); }
  void throw_if_stopped() const;

 private:
  const Study& study_;
  const std::vector<std::size_t>& members_;
  const StudyObserver& observer_;
  std::mutex lock_;
  std::vector<double> shares_;
  double total_ = 0;
};

}  // namespace heddle
