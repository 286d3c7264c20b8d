// See jobs.hpp.
#include "heddle/study/jobs.hpp"

#include <algorithm>
#include <atomic>
#include <mutex>

#include "heddle/base/file.hpp"
#include "heddle/base/text.hpp"

namespace heddle {
namespace {

/// How far all jobs are, in work done.
class Board {
 public:
  Board(const std::vector<StudyJob>& jobs, const StudyObserver& observer)
      : observer_(observer), jobs_(jobs), shares_(jobs.size()) {
    for (const StudyJob& job : jobs) total_ += job.work;
  }

  void tell(std::size_t job, double share, const std::string& what) {
    if (observer_.stop && observer_.stop()) throw StudyStopped("stopped");
    const std::scoped_lock lock(lock_);
    shares_[job] = share;
    double done = 0;
    for (std::size_t i = 0; i < shares_.size(); ++i) done += shares_[i] * jobs_[i].work;
    if (observer_.progress) observer_.progress(done / total_, what);
  }

 private:
  const StudyObserver& observer_;
  const std::vector<StudyJob>& jobs_;
  std::mutex lock_;
  std::vector<double> shares_;
  double total_ = 0;
};

}  // namespace

void run_jobs(const std::vector<StudyJob>& jobs, int threads, const StudyObserver& observer) {
  Board board(jobs, observer);
  std::vector<std::size_t> order(jobs.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::ranges::stable_sort(order, std::greater{}, [&](std::size_t i) { return jobs[i].work; });
  const int workers = std::clamp(threads, 1, std::max(1, static_cast<int>(jobs.size())));
  Team team(workers);
  std::atomic<std::size_t> next{0};
  team.run(workers, [&](int) {
    Team own(std::max(1, threads / workers));
    for (std::size_t i = next++; i < order.size(); i = next++) {
      const std::size_t job = order[i];
      jobs[job].run(own,
                    [&](double share, const std::string& what) { board.tell(job, share, what); });
    }
  });
}

void claim_study_folder(const std::string& folder, const std::string& identity) {
  const std::string path = folder + "/study.json";
  if (!file_exists(path)) {
    write_file(path, identity);
    return;
  }
  check<UsageError>(read_file(path) == identity,
                    "{} holds a study with other settings (its study.json says which); choose "
                    "another --out",
                    quote_path(folder));
}

}  // namespace heddle
