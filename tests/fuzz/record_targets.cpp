// What the program wrote and reads back: logs, results of every kind with the report that is drawn
// from them, sweeps and plans. Bytes that are read as results are also drawn and checked.
#include "heddle/base/json.hpp"
#include "heddle/record/sizes.hpp"
#include "heddle/record/training_log.hpp"
#include "heddle/record/tree.hpp"
#include "heddle/report/document/markdown.hpp"
#include "heddle/report/document/page.hpp"
#include "heddle/report/document/write.hpp"
#include "heddle/report/run/document.hpp"
#include "heddle/study/plan_file.hpp"
#include "heddle/study/sweep/folder.hpp"
#include "tests/fuzz/target.hpp"

namespace heddle::testing {
namespace {

/// A record out of the bytes, read as its file would be; empty where they are none.
template <class Record>
std::optional<Record> record_of(std::string_view bytes) {
  const Json tree = Json::try_parse(bytes);
  if (tree.is_discarded()) return std::nullopt;
  std::optional<Record> record;
  const auto read = [&] {
    record = from_tree<Record>(tree);
    check_sizes(*record);
  };
  if (!accepted(read)) return std::nullopt;
  const Json again = to_tree(*record);
  require(to_tree(from_tree<Record>(again)) == again, "a record that changes");
  return record;
}

template <class Study>
void fuzz_results(std::string_view bytes) {
  const auto study = record_of<Study>(bytes);
  if (!study) return;
  accepted([&] {
    const auto files = report::report_files(*study);
    require(!files.empty(), "a report of nothing");
  });
}

}  // namespace

void fuzz_training_log(std::string_view bytes) {
  TrainingLog log;
  if (!accepted([&] { log = parse_training_log(bytes); })) return;
  const std::string text = to_json(log);
  require(to_json(parse_training_log(text)) == text, "a log that changes");
  require(to_csv(log).ends_with('\n'), "a table without its end");
}

void fuzz_addition_results(std::string_view bytes) {
  fuzz_results<AdditionStudy>(bytes);
}

void fuzz_sortedness_results(std::string_view bytes) {
  fuzz_results<SortednessStudy>(bytes);
}

void fuzz_sweep_results(std::string_view bytes) {
  fuzz_results<SweepStudy>(bytes);
}

void fuzz_run_results(std::string_view bytes) {
  const auto run = record_of<RunRecord>(bytes);
  if (!run) return;
  accepted([&] {
    const report::RunSource source(*run);
    const report::Document document = report::document_of(source);
    require(!report::markdown(document).empty() && !report::page(document).empty(), "no page");
    (void)report::tables(*run);
  });
}

void fuzz_sweep_file(std::string_view bytes) {
  SweepGrid grid;
  const std::string path = folder_of(kSweepFile, bytes) + "/" + kSweepFile;
  accepted([&] { check_sweep_origin(folder_of(kSweepFile, bytes)); });
  if (!accepted([&] { grid = read_sweep_grid(path); })) return;
  require(missing_from(grid, grid).empty(), "a grid that does not hold itself");
  constexpr std::size_t kQuick = 64;
  std::size_t count = 1;
  for (const SweepAxis& axis : grid.axes) count *= axis.values.size();
  if (count <= kQuick) accepted([&] { (void)cells_of(grid); });
  const std::string text = sweep_json(grid).dump();
  const std::string copy = folder_of("copy.json", text) + "/copy.json";
  require(sweep_json(read_sweep_grid(copy)).dump() == text, "a sweep's file that changes");
}

void fuzz_plan(std::string_view bytes) {
  accepted([&] { (void)read_plan_head(folder_of("plan.json", bytes)); });
  accepted([&] { (void)read_identity(folder_of("study.json", bytes)); });
}

}  // namespace heddle::testing
