// See study_view.hpp.
#include "heddle/cli/text/study_view.hpp"

#include "heddle/base/interrupt.hpp"
#include "heddle/base/text.hpp"

namespace heddle::cli {

StudyObserver StudyView::observer() {
  return {.progress = [this](double share, const std::string& what) { progress(share, what); },
          .note =
              [this](const std::string& line) {
                const std::scoped_lock lock(lock_);
                console_.note("{}", line);
              },
          .stop = [] { return interrupted(); }};
}

void StudyView::progress(double share, const std::string& what) {
  const std::scoped_lock lock(lock_);
  if (first_ < 0) first_ = share;  // what an earlier call has done took no time now
  if (!console_.due()) return;
  const double seconds = std::chrono::duration<double>(Clock::now() - begin_).count();
  const double pace = (share - first_) / std::max(seconds, 1e-3);
  console_.bar(share, pace > 0 ? fmt::format("{:.1f} %/min  {} left  {}", 6000 * pace,
                                             format_seconds((1 - share) / pace), what)
                               : what);
}

}  // namespace heddle::cli
