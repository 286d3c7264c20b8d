// One byte of one file is changed, and whoever reads the file is asked: it is noticed in one line,
// or nothing that is read has changed. Every file of a run and of a study's member, every byte.
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>

#include "heddle/base/checked_json.hpp"
#include "heddle/base/file.hpp"
#include "heddle/base/hash.hpp"
#include "heddle/kernels/isa.hpp"
#include "heddle/lens/kept.hpp"
#include "heddle/record/results_file.hpp"
#include "heddle/report/document/write.hpp"
#include "heddle/study/member_record.hpp"
#include "heddle/study/open.hpp"
#include "heddle/study/plan_file.hpp"
#include "heddle/study/timings.hpp"
#include "heddle/task/file/file_task.hpp"
#include "heddle/train/saved_state.hpp"
#include "tests/cli/program.hpp"
#include "tests/unit/base/temp_folder.hpp"

namespace heddle {
namespace {

namespace fs = std::filesystem;

/// Reads a folder as a command does and says everything that it found.
using Reader = std::function<std::string()>;

struct Tally {
  std::int64_t flips = 0, detected = 0, harmless = 0, missed = 0;

  Tally& operator+=(const Tally& other) {
    flips += other.flips;
    detected += other.detected;
    harmless += other.harmless;
    missed += other.missed;
    return *this;
  }
};

std::string hash_of(const Weights& weights) {
  Hash hash;
  const auto numbers = weights.flat().flat<float>();
  return hash.bytes({reinterpret_cast<const std::uint8_t*>(numbers.data()), numbers.size_bytes()})
      .hex();
}

std::string read_weights(const std::string& run, const std::string& file = "model.safetensors") {
  const Member member = load_member(run, file);
  return config_hash(member.config) + hash_of(member.weights) + member.weights_hash;
}

std::string read_run(const std::string& run) {
  return read_weights(run) + to_tree(gather_run(run)).dump();
}

/// As a training that is called again.
std::string read_state(const std::string& run) {
  Team team(1);
  const Config config = load_config(run);
  Trainer trainer(config, team);
  Weights best(trainer.layout(), DType::f32);
  SavedState saved;
  saved.log.isa = kernels::isa();
  saved.log.data_hash = trainer.learner().task().data_hash();
  RunFiles(run).restore(trainer, saved, best);
  Hash hash;
  for (const auto& [name, tensor] : trainer.state())
    hash.bytes({reinterpret_cast<const std::uint8_t*>(tensor.data<float>()), tensor.bytes()});
  return hash.hex() + hash_of(best) + to_json(saved.log) +
         fmt::format("{} {} {}", saved.step, saved.loss_sum, saved.best_loss);
}

/// The bytes from one that is tried to the next, so that at most `most` are; HEDDLE_BIT_ROT=N is
/// another number of them.
std::size_t stride_of(std::size_t bytes, std::size_t most) {
  if (const char* more = std::getenv("HEDDLE_BIT_ROT"))  // NOLINT(concurrency-mt-unsafe)
    most = std::max<std::size_t>(1, std::strtoull(more, nullptr, 10));
  return std::max<std::size_t>(1, (bytes + most - 1) / most);
}

void put_byte(std::fstream& file, std::size_t at, char byte) {
  file.seekp(static_cast<std::streamoff>(at));
  file.put(byte);
  file.flush();
}

/// What comes of it; empty if it is missed without a word.
Tally tried(const Reader& read, const std::string& sound, const std::string& where) {
  Tally tally{.flips = 1};
  try {
    const std::string found = read();
    (found == sound ? tally.harmless : tally.missed) += 1;
    if (found != sound) ADD_FAILURE() << where << ": other numbers, and nothing was said";
  } catch (const Error& error) {
    const std::string said = error.what();
    const bool one_line = !said.empty() && said.find('\n') == std::string::npos;
    (one_line ? tally.detected : tally.missed) += 1;
    EXPECT_TRUE(one_line) << where << ": " << said;
  }
  return tally;
}

/// One flip. Most are shown to `quick` first, which is what `read` asks of this file before it does
/// anything that takes longer; what it lets pass, and every fortieth, is read in full.
Tally tried(const Reader& read, const Reader& quick, std::size_t number, const std::string& sound,
            const std::string& where) {
  constexpr std::size_t kInFull = 40;
  if (!quick || number % kInFull == 0) return tried(read, sound, where);
  Tally tally = tried(quick, "", where);
  return tally.detected > 0 ? tally : tried(read, sound, where);
}

/// Flips one bit of every byte that is tried (another bit for every byte) and puts it back.
Tally rot(const std::string& path, std::size_t most, const Reader& read, const Reader& quick = {}) {
  const std::string bytes = file_bytes(path), sound = read();
  const auto began = std::chrono::steady_clock::now();
  std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
  Tally tally;
  const std::size_t stride = stride_of(bytes.size(), most);
  for (std::size_t at = 0; at < bytes.size() && tally.missed < 5; at += stride) {
    put_byte(file, at, static_cast<char>(bytes[at] ^ (1 << (at / stride % 8))));
    tally += tried(read, quick, at / stride, sound, fmt::format("{} byte {}", path, at));
    put_byte(file, at, bytes[at]);
  }
  const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - began;
  fmt::print("{:>8} of {:>8} bytes  detected {:>8}  harmless {:>6}  missed {}  {:6.1f} s  {}\n",
             tally.flips, bytes.size(), tally.detected, tally.harmless, tally.missed, taken.count(),
             fs::path(path).filename().string());
  EXPECT_EQ(file_bytes(path), bytes);
  return tally;
}

void expect_sound(const Tally& all) {
  fmt::print("{} flips: {} detected, {} harmless, {} missed\n", all.flips, all.detected,
             all.harmless, all.missed);
  EXPECT_EQ(all.missed, 0);
  EXPECT_EQ(all.detected + all.harmless, all.flips);
  EXPECT_GT(all.detected, all.flips / 2);
}

constexpr std::size_t kFew = 1200;  // flips of one file that every test can afford

const std::vector<std::string> kTiny{"--threads", "1",       "--set",   "d_model=4",   "d_ff=4",
                                     "heads=1",   "steps=6", "batch=4", "eval_every=3"};

void call(std::vector<std::string> words, const std::vector<std::string>& more = {}) {
  words.insert(words.end(), more.begin(), more.end());
  const Outcome outcome = heddle_call(words);
  ASSERT_EQ(outcome.code, 0) << words[0] << ": " << outcome.err;
}

/// What every reader of such a file begins with.
Reader checked(const std::string& path) {
  return [path] {
    if (path.ends_with(".json")) {
      (void)read_checked_json(path);
    } else {
      (void)read_safetensors(path);
    }
    return "";
  };
}

/// Every file that train left and somebody reads.
Tally rot_training(const std::string& run) {
  const std::string model = run + "/model.safetensors", log = run + "/training_log.json",
                    last = run + "/last.safetensors", state = run + "/state/training.safetensors";
  Tally all;
  const Reader whole = [&] { return read_run(run); };
  all += rot(run + "/config.json", kFew, whole);
  all += rot(model, kFew, whole, checked(model));
  all += rot(log, kFew, whole, checked(log));
  all += rot(last, kFew, [&] { return read_weights(run, "last.safetensors"); }, checked(last));
  all += rot(state, kFew, [&] { return read_state(run); }, checked(state));
  return all;
}

TEST(SlowBitRot, OfARun) {
  const TempFolder folder;
  const std::string run = folder / "run", csv = folder / "p.csv";
  std::string pairs = "input,output,split\n";
  for (int i = 0; i < 90; ++i)
    pairs += fmt::format("{} {},{},{}\n", i % 10, i / 10, i % 3,
                         i < 30   ? "train"
                         : i < 60 ? "validation"
                                  : "test");
  put_file(csv, pairs);
  ASSERT_NO_FATAL_FAILURE(call({"train", "file:" + csv, "--out", run}, kTiny));
  for (const char* command : {"eval", "ablate", "specialise"})
    ASSERT_NO_FATAL_FAILURE(call({command, run}));
  ASSERT_NO_FATAL_FAILURE(call({"prune", run, "--keep", "1", "--out", folder / "smaller"}));
  Tally all = rot_training(run);
  std::size_t kept = 0;
  for (const auto& entry : fs::directory_iterator(run + "/lens")) {
    const std::string path = entry.path().string();
    all += rot(path, kFew, [&] { return to_tree(gather_run(run)).dump(); }, checked(path));
    ++kept;
  }
  EXPECT_EQ(kept, 6U);  // data, score, attention, ablation, specialisation, pruning
  const Config config = load_config(run);
  const std::string lexicon = run + "/lexicon.json";
  all += rot(lexicon, kFew, [&] {
    const FileTask task(config, read_file(lexicon));
    std::string words;
    for (std::int32_t i = 0; i < config.task.vocabulary; ++i) words += task.word(i) + "\n";
    return words;
  });
  const std::string smaller = folder / "smaller", cut = smaller + "/model.safetensors";
  all += rot(smaller + "/config.json", kFew, [&] { return read_run(smaller); });
  all += rot(cut, kFew, [&] { return read_run(smaller); }, checked(cut));
  expect_sound(all);
}

TEST(SlowBitRot, OfASweep) {
  const TempFolder folder;
  const std::string sweep = folder / "sweep", run = sweep + "/members/heads=1/seed-1";
  std::vector<std::string> words{"train", "addition", "--seeds", "1", "--out", sweep};
  words.insert(words.end(), kTiny.begin(), kTiny.end());
  std::ranges::replace(words, "heads=1", "heads=1,2");
  words.emplace_back("digits=1");
  ASSERT_NO_FATAL_FAILURE(call(words));
  Tally all = rot_training(run);
  const Reader conclude = [&] {
    Study study = open_study(sweep);
    const ConcludeRequest request{.folder = sweep, .threads = 1, .progress = [](const auto&) {}};
    return study.command + study.conclude(request);
  };
  for (const std::string& path : {run + "/measures.json", run + "/training_log.json",
                                  sweep + "/sweep.json", sweep + "/plan.json"})
    all += rot(path, kFew, conclude, checked(path));
  const std::string timing = run + "/timing.json";
  all += rot(timing, kFew, [&] {
    const Json row = read_checked_json(timing);
    return row.at("member").dump() + row.at("threads").dump() + row.at("exam_seconds").dump();
  });
  const Reader results = [&] { return to_tree(report::read_sweep(sweep)).dump(); };
  all += rot(sweep + "/results.json", kFew, results);
  all += rot(sweep + "/results.checksum", kFew, results);
  expect_sound(all);
}

}  // namespace
}  // namespace heddle
