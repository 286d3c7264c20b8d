// See folder_lock.hpp.
#include "heddle/study/folder_lock.hpp"

#include "heddle/base/interrupt.hpp"

namespace heddle {

FolderLock wait_for_folder(const std::string& folder, const StudyObserver& observer) {
  constexpr int kMilliseconds = 50;
  for (;;) {
    try {
      return FolderLock(folder);
    } catch (const FolderInUse&) {
      if (observer.stop && observer.stop()) throw StudyStopped("stopped");
      pause_for(kMilliseconds);
    }
  }
}

}  // namespace heddle
