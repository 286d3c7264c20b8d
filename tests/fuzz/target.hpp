// What is fed with arbitrary bytes: each target reads them as one of the program's parsers would.
// A test replays the corpus over them (replay_test.cpp), tools/fuzz/run looks for new bytes.
#pragma once

#include <span>
#include <stdexcept>
#include <string>
#include <string_view>

#include "heddle/base/check.hpp"

namespace heddle::testing {

/// A promise that some bytes have broken. Nothing of the program throws this.
class BrokenPromise : public std::logic_error {
 public:
  using std::logic_error::logic_error;
};

struct FuzzTarget {
  std::string_view name;  ///< of its folder in tests/fuzz/corpus, too
  /// Whatever the bytes: reads them or refuses them in a sound way; BrokenPromise else.
  void (*run)(std::string_view bytes);
  bool json = false;  ///< the bytes are JSON: a mutator that knows its structure is worth while
};

/// Every target; their files are read once, below `data` (the folder tests/).
std::span<const FuzzTarget> fuzz_targets();
/// Null where there is none of that name.
const FuzzTarget* find_target(std::string_view name);

void require(bool holds, std::string_view what);

/// Whether a refusal is one line of the program's own words.
void require_sound(std::string_view message);

/// Runs the body. What it refuses must be refused in a sound way; true if it refused nothing.
template <class Body>
bool accepted(const Body& body) {
  try {
    body();
    return true;
  } catch (const Error& error) {
    require_sound(error.what());
    return false;
  }
}

/// A file in memory with these bytes, under a path that lasts until the next call. Not for threads.
const std::string& file_of(std::string_view bytes);
/// The same as FOLDER/NAME; gives the folder.
const std::string& folder_of(std::string_view name, std::string_view bytes);

// The targets, by what they read.
void fuzz_json(std::string_view bytes);
void fuzz_config(std::string_view bytes);
void fuzz_settings(std::string_view bytes);
void fuzz_setting_lists(std::string_view bytes);
void fuzz_head_names(std::string_view bytes);
void fuzz_texts(std::string_view bytes);

void fuzz_csv(std::string_view bytes);
void fuzz_jsonl(std::string_view bytes);
void fuzz_questions(std::string_view bytes);
void fuzz_lexicon(std::string_view bytes);

void fuzz_safetensors(std::string_view bytes);
void fuzz_foreign(std::string_view bytes);
void fuzz_npz(std::string_view bytes);
void fuzz_import_map(std::string_view bytes);
void fuzz_reference(std::string_view bytes);
void fuzz_taps(std::string_view bytes);

void fuzz_training_log(std::string_view bytes);
void fuzz_addition_results(std::string_view bytes);
void fuzz_sortedness_results(std::string_view bytes);
void fuzz_sweep_results(std::string_view bytes);
void fuzz_run_results(std::string_view bytes);
void fuzz_sweep_file(std::string_view bytes);
void fuzz_plan(std::string_view bytes);

}  // namespace heddle::testing
