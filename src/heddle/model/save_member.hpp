// A member that no training made, such as a pruned one, into a run's folder.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "heddle/base/file.hpp"
#include "heddle/model/member.hpp"
#include "heddle/tensor/safetensors.hpp"

namespace heddle {

/// What a run keeps beside its weights: name and content (Task::files()).
using RunFileTexts = std::vector<std::pair<std::string, std::string>>;

/// The folder of a run that is in the making, held so that nobody else writes there. What was made
/// for it goes again unless save() came.
class NewRun {
 public:
  /// Refuses at once what save() would: UsageError for a folder that was made with another
  /// configuration, that a training wrote or that holds anything else, FolderInUse where another
  /// process holds it, FileError where nothing can be written.
  NewRun(std::string run, const Config& config);
  NewRun(const NewRun&) = delete;
  NewRun& operator=(const NewRun&) = delete;
  ~NewRun();

  /// Writes RUN/config.json, the other files and, last, RUN/model.safetensors, whose checksum is
  /// returned: without it the folder is no run. One that holds the same configuration gets the new
  /// weights. The settings' hash is added to the metadata.
  std::string save(const Config& config, const Weights& weights, Metadata metadata,
                   const RunFileTexts& files = {});

 private:
  void remove_made() noexcept;

  std::string run_;
  std::vector<std::filesystem::path> made_;  // folders that were not there, outermost first
  std::vector<std::string> written_;         // files that were not there
  std::optional<FolderLock> lock_;
};

/// All of it in one call.
std::string save_member(const std::string& run, const Config& config, const Weights& weights,
                        const Metadata& metadata);
inline std::string save_member(const std::string& run, const Member& member,
                               const Metadata& metadata) {
  return save_member(run, member.config, member.weights, metadata);
}

/// UsageError if NewRun would refuse the folder for what it holds.
void check_place(const std::string& run, const Config& config);

}  // namespace heddle
