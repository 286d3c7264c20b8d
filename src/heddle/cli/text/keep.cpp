// See keep.hpp.
#include "heddle/cli/text/keep.hpp"

#include "heddle/lens/pictures.hpp"

namespace heddle::cli {

void keep_score(const std::string& run, const Member& member, const Task& task,
                const RunScore& score, Console& console) {
  constexpr Index kPictures = 3, kMostTokens = 40;
  const KeptOrigin origin = origin_of(member, task);
  keep_beside(run, origin, kKeptScore, score, console);
  keep_beside(run, origin, kKeptPictures,
              RunPictures{.pictures = test_pictures(member, task, kPictures, kMostTokens)},
              console);
}

}  // namespace heddle::cli
