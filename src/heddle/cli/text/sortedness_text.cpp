// See sortedness_text.hpp.
#include "heddle/cli/text/sortedness_text.hpp"

#include "heddle/base/decimal.hpp"
#include "heddle/base/text.hpp"
#include "heddle/cli/common.hpp"
#include "heddle/eval/sortedness.hpp"
#include "heddle/record/tree.hpp"

namespace heddle::cli {
namespace {

constexpr Index kLongestSequence = 1 << 20;

std::vector<Index> lengths_of(const std::string& text) {
  std::vector<Index> lengths;
  for (const std::string& word : split(text, ',')) {
    const auto length = parse_int(word);
    check<UsageError>(length && *length >= 2 && *length <= kLongestSequence,
                      "--lengths {}: {} is no length; accepted is whole numbers from 2 to {} with "
                      "commas between them",
                      quote(text), quote(word), kLongestSequence);
    lengths.push_back(*length);
  }
  return lengths;
}

std::string share(double value) {
  return format_fixed(value, 4);
}

}  // namespace

std::vector<SetSpec> wanted_sets(const Arguments& arguments) {
  constexpr std::int64_t kCount = 1000, kMost = 10'000'000;
  const auto lengths = lengths_of(arguments.value("--lengths").value_or("8,12,16,32,64,128,256"));
  const auto kinds = split(
      arguments.value("--kinds").value_or("swaps,shuffle,adjacent,distant,dip1,reverse,rotate"),
      ',');
  const auto values = split(arguments.value("--values").value_or("uniform"), ',');
  const std::int64_t count = arguments.number("--count", 2, kMost).value_or(kCount);
  std::vector<SetSpec> sets;
  for (const std::string& value : values) {
    const auto value_kind = parse_kind<ValueKind>("--values", value);
    for (const std::string& kind : kinds)
      for (const Index length : lengths) {
        const Spoil spoil = parse_spoil("--kinds", kind);
        sets.push_back({.length = length,
                        .kind = spoil.kind,
                        .delta = spoil.delta,
                        .values = value_kind,
                        .count = count,
                        .seed = kSetSeed});
        const SortedSet refuses_what_cannot_be(sets.back());
      }
  }
  return sets;
}

Json cell_json(const SortCell& cell) {
  Json json = to_tree(cell);
  if (cell.ceiling < 0) json["ceiling"] = nullptr;
  return json;
}

std::string cells_text(const std::vector<SortCell>& cells) {
  Table table("llrrrrrrrrr");
  table.add({"kind", "values", "length", "accuracy", "95 % interval", "tpr", "tnr", "auroc",
             "called sorted", "pairs", "ceiling"});
  for (const SortCell& cell : cells)
    table.add(
        {cell.delta > 0 ? fmt::format("{} {}", cell.kind, cell.delta) : cell.kind, cell.values,
         format_count(cell.length),
         share(static_cast<double>(cell.correct) / static_cast<double>(cell.total)),
         fmt::format("{} … {}", format_fixed(cell.low, 3), format_fixed(cell.high, 3)),
         share(cell.tpr), share(cell.tnr), share(cell.auroc),
         fmt::format("{}{}", share(cell.predicted_positive), cell.constant ? "  constant" : ""),
         cell.pairs_total > 0 ? fmt::format("{}/{}", cell.pairs_correct, cell.pairs_total) : "–",
         cell.ceiling < 0 ? "–" : format_fixed(cell.ceiling, 3)});
  return table.text();
}

}  // namespace heddle::cli
