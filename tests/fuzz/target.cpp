// See target.hpp.
#include "tests/fuzz/target.hpp"

#include <algorithm>
#include <array>
#include <filesystem>

#include <unistd.h>

#include "heddle/base/file.hpp"
#include "heddle/base/text.hpp"

namespace heddle::testing {
namespace {

constexpr std::array kTargets{
    FuzzTarget{"json", fuzz_json, true},
    FuzzTarget{"config", fuzz_config, true},
    FuzzTarget{"settings", fuzz_settings},
    FuzzTarget{"setting_lists", fuzz_setting_lists},
    FuzzTarget{"head_names", fuzz_head_names},
    FuzzTarget{"texts", fuzz_texts},
    FuzzTarget{"csv", fuzz_csv},
    FuzzTarget{"jsonl", fuzz_jsonl},
    FuzzTarget{"questions", fuzz_questions},
    FuzzTarget{"lexicon", fuzz_lexicon, true},
    FuzzTarget{"safetensors", fuzz_safetensors},
    FuzzTarget{"foreign", fuzz_foreign},
    FuzzTarget{"npz", fuzz_npz},
    FuzzTarget{"import_map", fuzz_import_map, true},
    FuzzTarget{"reference", fuzz_reference},
    FuzzTarget{"taps", fuzz_taps},
    FuzzTarget{"training_log", fuzz_training_log, true},
    FuzzTarget{"addition_results", fuzz_addition_results, true},
    FuzzTarget{"sortedness_results", fuzz_sortedness_results, true},
    FuzzTarget{"sweep_results", fuzz_sweep_results, true},
    FuzzTarget{"run_results", fuzz_run_results, true},
    FuzzTarget{"sweep_file", fuzz_sweep_file, true},
    FuzzTarget{"plan", fuzz_plan, true},
};

/// In memory where the system has such a folder; taken away at the end.
class Place {
 public:
  Place() {
    const std::string shared = folder_exists("/dev/shm") ? "/dev/shm" : "/tmp";
    folder_ = fmt::format("{}/heddle_fuzz_{}", shared, ::getpid());
    make_folder(folder_);
  }
  Place(const Place&) = delete;
  Place& operator=(const Place&) = delete;
  ~Place() {
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
  }

  const std::string& folder() const { return folder_; }

 private:
  std::string folder_;
};

const Place& place() {
  static const Place the_place;
  return the_place;
}

/// Without the care of write_file(), which waits for the disk.
void put(const std::string& path, std::string_view bytes) {
  std::FILE* file = std::fopen(path.c_str(), "wb");  // NOLINT: closed two lines below
  require(file != nullptr && std::fwrite(bytes.data(), 1, bytes.size(), file) == bytes.size(),
          "the test's own file");
  (void)std::fclose(file);  // NOLINT
}

}  // namespace

std::span<const FuzzTarget> fuzz_targets() {
  return kTargets;
}

const FuzzTarget* find_target(std::string_view name) {
  const auto* found = std::ranges::find(kTargets, name, &FuzzTarget::name);
  return found == kTargets.end() ? nullptr : found;
}

void require(bool holds, std::string_view what) {
  if (!holds) throw BrokenPromise(fmt::format("broken: {}", what));
}

void require_sound(std::string_view message) {
  require(!message.empty(), "an error without words");
  require(message.find('\n') == std::string_view::npos, "an error over several lines");
  require(!message.starts_with("[json.exception"), "words of the JSON library");
  require(message.size() < 100'000, "an endless error");
  require(is_utf8(message), "an error that is no UTF-8");
}

const std::string& file_of(std::string_view bytes) {
  static const std::string kPath = place().folder() + "/file";
  put(kPath, bytes);
  return kPath;
}

const std::string& folder_of(std::string_view name, std::string_view bytes) {
  put(fmt::format("{}/{}", place().folder(), name), bytes);
  return place().folder();
}

}  // namespace heddle::testing
