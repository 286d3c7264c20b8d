// See save_member.hpp.
#include "heddle/model/save_member.hpp"

#include <algorithm>

#include "heddle/base/text.hpp"
#include "heddle/config/load.hpp"
#include "heddle/model/checkpoint.hpp"

namespace heddle {
namespace {

namespace fs = std::filesystem;

/// Of a process that was killed: locks and files that were not finished.
bool is_leftover(const std::string& name) {
  return name == ".lock" || (name.starts_with(".heddle-") && name.ends_with(".tmp"));
}

bool holds_anything(const std::string& folder) {
  return !std::ranges::all_of(names_in(folder), is_leftover);
}

/// Settings alone: whoever wrote them died before there was anything else.
bool is_unborn(const std::string& run) {
  return file_exists(run + "/config.json") && !file_exists(run + "/model.safetensors") &&
         !file_exists(run + "/training_log.json") && !folder_exists(run + "/state");
}

/// The folder and those above it where nothing is, not even a file or a link that leads nowhere.
std::vector<fs::path> missing_folders(const fs::path& folder) {
  std::vector<fs::path> missing;
  fs::path path;
  for (const fs::path& part : folder) {
    path /= part;
    std::error_code ignored;
    const bool nothing = fs::symlink_status(path, ignored).type() == fs::file_type::not_found;
    if (path.has_filename() && nothing) missing.push_back(path);
  }
  return missing;
}

}  // namespace

void check_place(const std::string& run, const Config& config) {
  check<UsageError>(!run.empty(), "the folder to write has no name");
  if (!file_exists(run + "/config.json")) {
    check<UsageError>(!holds_anything(run),
                      "{} holds something that is no run; choose another --out", quote_path(run));
    return;
  }
  check<UsageError>(!file_exists(run + "/training_log.json") && !folder_exists(run + "/state"),
                    "{} holds a training; choose another --out", quote_path(run));
  if (is_unborn(run)) return;
  const auto differing = differences(config, load_config(run));
  check<UsageError>(differing.empty(),
                    "{} was made with another configuration ({}); choose another --out",
                    quote_path(run), join(differing, "; "));
}

NewRun::NewRun(std::string run, const Config& config) : run_(std::move(run)) {
  check_place(run_, config);
  made_ = missing_folders(run_);
  try {
    make_folder(run_);
    lock_.emplace(run_);
    check_place(run_, config);  // somebody may have finished there before we held it
  } catch (...) {
    remove_made();
    throw;
  }
}

NewRun::~NewRun() {
  remove_made();
}

void NewRun::remove_made() noexcept {
  for (const std::string& name : written_) (void)remove_all(run_ + "/" + name);
  if (made_.empty()) return;
  if (lock_) (void)remove_all(run_ + "/.lock");
  for (auto folder = made_.rbegin(); folder != made_.rend(); ++folder)
    (void)remove_empty_folder(folder->string());  // only if nothing else is there
}

std::string NewRun::save(const Config& config, const Weights& weights, Metadata metadata,
                         const RunFileTexts& files) {
  check_place(run_, config);
  metadata.emplace(kSettingsHash, config_hash(config));
  RunFileTexts all = files;
  all.emplace_back("config.json", config_json(config));
  for (const auto& [name, content] : all) {
    const std::string path = run_ + "/" + name;
    if (!file_exists(path)) written_.push_back(name);
    write_file(path, content);
  }
  std::string checksum = save_weights(run_ + "/model.safetensors", weights, metadata);
  written_.clear();
  made_.clear();
  return checksum;
}

std::string save_member(const std::string& run, const Config& config, const Weights& weights,
                        const Metadata& metadata) {
  return NewRun(run, config).save(config, weights, metadata);
}

}  // namespace heddle
