// Feeds arbitrary bytes to the readers of a user's examples: what they refuse they refuse in one
// line, and what they accept keeps every promise and survives being written and read again.
//   clang++ -std=c++20 -g -O1 -fsanitize=fuzzer,address,undefined -Isrc -I. tools/fuzz/examples.cpp
//     tests/support/example_text.cpp src/heddle/task/{csv_examples,csv_records,example_builder}.cpp
//     src/heddle/task/{example_report,example_report_lines,example_set,held_out,input_groups}.cpp
//     src/heddle/task/{json_examples,lexicon,text_lines,tokens}.cpp
//     src/heddle/base/{file,hash,text}.cpp -lfmt -o fuzz && ./fuzz -max_len=512 -max_total_time=120
// The first byte chooses the kind of file, the kind of tokens and the size of a block.
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

#include "heddle/base/check.hpp"
#include "heddle/task/file/example_set.hpp"
#include "tests/support/example_text.hpp"

namespace {

using heddle::ExampleFile;
using heddle::ExampleSet;

void require(bool holds, const char* what) {
  if (holds) return;
  (void)std::fprintf(stderr, "broken: %s\n", what);
  std::abort();
}

/// Whatever the ends of lines, the examples are the same.
void other_line_ends(const ExampleSet& set, std::string_view text, ExampleFile kind,
                     const heddle::ExampleOptions& options) {
  if (text.find('\r') != std::string_view::npos) return;
  std::string other;
  for (const char c : text) other += c == '\n' ? std::string("\r\n") : std::string(1, c);
  require(same_examples(set, read_examples(heddle::text_source(other), kind, options)), "CRLF");
}

void round_trips(const ExampleSet& set, const heddle::ExampleOptions& options) {
  const std::string json = to_jsonl(set);
  require(same_examples(set, read_examples(heddle::text_source(json), ExampleFile::jsonl, options)),
          "as JSON lines");
  if (!csv_can_hold(set)) return;
  const std::string csv = to_csv(set);
  require(same_examples(set, read_examples(heddle::text_source(csv), ExampleFile::csv, options)),
          "as CSV");
}

}  // namespace

// The name is the fuzzer's.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {  // NOLINT
  if (size == 0) return 0;
  constexpr std::array kKinds{ExampleFile::csv, ExampleFile::jsonl, ExampleFile::csv,
                              ExampleFile::tsv};
  constexpr std::array<std::uint64_t, 4> kBlocks{1U << 18U, 1, 2, 7};
  const ExampleFile kind = kKinds.at(data[0] & 3U);
  heddle::ExampleOptions options;
  if ((data[0] & 4U) != 0) options.tokens = heddle::TokenKind::characters;
  options.seed = (data[0] >> 5U) & 3U;
  options.validation_share = (data[0] & 128U) != 0 ? 0.4 : 0.1;
  options.most_held_out = (data[0] & 64U) != 0 ? 1 : 2000;
  const std::string_view text(reinterpret_cast<const char*>(data) + 1, size - 1);
  ExampleSet set;
  try {
    set = read_examples(heddle::text_source(text, kBlocks.at((data[0] >> 3U) & 3U)), kind, options);
  } catch (const heddle::FileError& error) {
    const std::string_view what = error.what();
    require(what.starts_with("'f'"), "an error without its file");
    require(what.find('\n') == std::string_view::npos, "an error over several lines");
    return 0;
  }
  const std::string broken = broken_promise(set, options);
  require(broken.empty(), broken.c_str());
  other_line_ends(set, text, kind, options);
  round_trips(set, options);
  return 0;
}
