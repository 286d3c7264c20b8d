// See save_member.hpp.
#include "heddle/model/save_member.hpp"

#include <filesystem>

#include "heddle/base/file.hpp"
#include "heddle/base/text.hpp"
#include "heddle/config/load.hpp"
#include "heddle/model/checkpoint.hpp"

namespace heddle {
namespace {

namespace fs = std::filesystem;

/// A folder that grows beside its place and takes it in one move; without commit() nothing is left.
class FolderWriter {
 public:
  explicit FolderWriter(const std::string& path) : path_(path) {
    if (!path_.has_filename()) path_ = path_.parent_path();  // "run/"
    temporary_ = path_;
    temporary_ += ".heddle-partial";
    discard();
    make_folder(temporary_.string());
  }
  FolderWriter(const FolderWriter&) = delete;
  FolderWriter& operator=(const FolderWriter&) = delete;
  ~FolderWriter() { discard(); }

  std::string operator/(const std::string& name) const { return (temporary_ / name).string(); }
  void commit() { move_file(temporary_.string(), path_.string()); }

 private:
  void discard() { (void)remove_all(temporary_.string()); }

  fs::path path_, temporary_;
};

}  // namespace

void check_place(const std::string& run, const Config& config) {
  check<UsageError>(!run.empty(), "the folder to write has no name");
  if (!file_exists(run + "/config.json")) {
    check<UsageError>(names_in(run).empty(),
                      "{} holds something that is no run; choose another --out", quote_path(run));
    return;
  }
  check<UsageError>(!file_exists(run + "/training_log.json") && !folder_exists(run + "/state"),
                    "{} holds a training; choose another --out", quote_path(run));
  const auto differing = differences(config, load_config(run));
  check<UsageError>(differing.empty(),
                    "{} was made with another configuration ({}); choose another --out",
                    quote_path(run), join(differing, "; "));
}

void save_member(const std::string& run, const Config& config, const Weights& weights,
                 const Metadata& metadata) {
  check_place(run, config);
  if (file_exists(run + "/config.json")) {
    const FolderLock lock(run);
    save_weights(run + "/model.safetensors", weights, metadata);
    return;
  }
  FolderWriter folder(run);
  save_weights(folder / "model.safetensors", weights, metadata);
  write_file(folder / "config.json", config_json(config));
  folder.commit();
}

}  // namespace heddle
