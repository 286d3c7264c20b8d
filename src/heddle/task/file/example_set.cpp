// See example_set.hpp.
#include "heddle/task/file/example_set.hpp"

#include <algorithm>
#include <memory>
#include <utility>

#include "heddle/base/hash.hpp"
#include "heddle/base/index.hpp"
#include "heddle/base/memory/offered.hpp"
#include "heddle/task/file/csv_examples.hpp"
#include "heddle/task/file/example_builder.hpp"
#include "heddle/task/file/json_examples.hpp"

namespace heddle {
namespace {

std::unique_ptr<RecordReader> reader_for(ExampleFile kind, LineReader lines,
                                         const std::string& columns) {
  if (kind == ExampleFile::csv || kind == ExampleFile::tsv)
    return std::make_unique<CsvExamples>(std::move(lines), kind == ExampleFile::tsv ? '\t' : ',',
                                         columns);
  check<UsageError>(columns.empty(),
                    "--columns {}: {} has no columns, every line of it names its parts",
                    quote(columns), quote_path(lines.path()));
  return std::make_unique<JsonExamples>(std::move(lines));
}

/// Looks now and then whether the examples of the whole file will find room, going by those so far.
class RoomWatch {
 public:
  RoomWatch(const ExampleBuilder& builder, std::string path)
      : builder_(builder), path_(std::move(path)) {}

  void look(std::uint64_t done, std::uint64_t total) {
    constexpr std::uint64_t kFirst = std::uint64_t{16} << 20U;
    if (done < std::max(kFirst, next_)) return;
    next_ = 2 * done;
    const double share = static_cast<double>(done) / static_cast<double>(total);
    check_memory<FileError>(static_cast<double>(builder_.bytes()) / share, quote_path(path_));
  }

 private:
  const ExampleBuilder& builder_;
  std::string path_;
  std::uint64_t next_ = 0;
};

}  // namespace

std::span<const std::int32_t> ExampleSet::input(Index i) const {
  const auto at = to_size(i);
  return std::span(token_ids).subspan(starts[at], input_lengths[at]);
}

std::span<const std::int32_t> ExampleSet::output(Index i) const {
  const auto at = to_size(i);
  const std::uint64_t start = starts[at] + input_lengths[at];
  return std::span(token_ids).subspan(start, starts[at + 1] - start);
}

ExampleFile file_kind(const std::string& path) {
  const std::optional<ExampleFile> kind = example_file(path);
  if (kind) return *kind;
  std::vector<std::string> endings;
  for (const std::string_view name : names_of(ExampleFile{}))
    endings.push_back(fmt::format(".{}", name));
  throw UsageError(fmt::format("{} is no kind of file that examples are read from; accepted are {}",
                               quote_path(path), join(endings, ", ")));
}

ExampleSet read_examples(const std::string& path, const ExampleOptions& options,
                         const ReadProgress& progress) {
  const ExampleFile kind = file_kind(path);
  return read_examples(open_source(path), kind, options, progress);
}

ExampleSet read_examples(ByteSource source, ExampleFile kind, const ExampleOptions& options,
                         const ReadProgress& progress) {
  ExampleBuilder builder(source.path, options);
  RoomWatch watch(builder, source.path);
  const ReadProgress look = [&](std::uint64_t done, std::uint64_t total) {
    watch.look(done, total);
    if (progress) progress(done, total);
  };
  const auto reader = reader_for(kind, LineReader(std::move(source), look), options.columns);
  ExampleRecord record;
  while (reader->next(record)) builder.add(record);
  ExampleSet set = builder.finish();
  set.reading = reader->note();
  return set;
}

std::string content_hash(const ExampleSet& set) {
  Hash hash;
  const auto add_lexicon = [&](const Lexicon& lexicon) {
    hash.add(static_cast<std::uint64_t>(lexicon.size()));
    for (std::int32_t id = 0; id < lexicon.size(); ++id) hash.add(lexicon.text(id));
  };
  hash.add(static_cast<std::uint64_t>(set.form));
  add_lexicon(set.tokens);
  add_lexicon(set.labels);
  for (Index i = 0; i < set.size(); ++i) {
    // One number for an example: a million of them are hashed in a moment.
    std::uint64_t example = mix_bits(set.input(i).size());
    const auto add_ids = [&](std::span<const std::int32_t> ids) {
      for (const std::int32_t id : ids)
        example = mix_bits(example + static_cast<std::uint64_t>(id));
    };
    add_ids(set.input(i));
    add_ids(set.output(i));
    if (set.form == ExampleForm::labels)
      example = mix_bits(example + static_cast<std::uint64_t>(set.label(i)));
    hash.add(mix_bits(example + static_cast<std::uint64_t>(set.split(i))))
        .add(set.output(i).size());
  }
  return hash.hex();
}

}  // namespace heddle
