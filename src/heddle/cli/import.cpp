// heddle import: weights that another program trained become a run.
#include "heddle/model/import/import.hpp"

#include "heddle/base/file.hpp"
#include "heddle/base/hash.hpp"
#include "heddle/base/text.hpp"
#include "heddle/base/version.hpp"
#include "heddle/cli/commands.hpp"
#include "heddle/cli/common.hpp"
#include "heddle/model/import/reference.hpp"
#include "heddle/model/save_member.hpp"
#include "heddle/record/json.hpp"
#include "heddle/task/registry.hpp"

namespace heddle::cli {
namespace {

/// What an import came to.
struct Outcome {
  std::string source, run, hash;
  Config config;
  Index parameters = 0;
  ImportSummary summary;
  std::optional<Comparison> comparison;
  bool written = false;
};

Index missing_tokens(const TheirIds& ids) {
  return std::ranges::count(ids, std::optional<Index>());
}

Json comparison_json(const std::optional<Comparison>& comparison) {
  if (!comparison) return {};
  return {{"largest_difference", comparison->largest_difference},
          {"tolerance", comparison->tolerance()},
          {"largest_logit", comparison->largest_logit},
          {"depth", comparison->depth},
          {"unit", comparison->unit},
          {"same_answer", {{"correct", comparison->same_answer}, {"total", comparison->answers}}},
          {"equal", comparison->equal()}};
}

std::string outcome_json(const Outcome& outcome) {
  return json_line({{"task", field_text(outcome.config.task.name)},
                    {"source", outcome.source},
                    {"run", outcome.run},
                    {"written", outcome.written},
                    {"imported_from", outcome.hash},
                    {"parameters", outcome.parameters},
                    {"used", outcome.summary.used},
                    {"ignored", outcome.summary.ignored},
                    {"constant", outcome.summary.constant},
                    {"never_read", missing_tokens(outcome.summary.ids.source)},
                    {"never_said", missing_tokens(outcome.summary.ids.said)},
                    {"reference", comparison_json(outcome.comparison)},
                    {"config_hash", config_hash(outcome.config)},
                    {"defect", outcome.config.defect_note()}});
}

std::string outcome_text(const Outcome& outcome, const std::string& program) {
  const ImportSummary& summary = outcome.summary;
  Table table("lr");
  table.add({"parameters", format_count(outcome.parameters)});
  table.add({"tensors used", std::to_string(summary.used.size())});
  if (!summary.ignored.empty())
    table.add({"tensors ignored", std::to_string(summary.ignored.size())});
  if (!summary.constant.empty())
    table.add({"weights without a tensor: constants", std::to_string(summary.constant.size())});
  if (const Index count = missing_tokens(summary.ids.source); count > 0)
    table.add({"tokens that it cannot read: zeros", std::to_string(count)});
  if (const Index count = missing_tokens(summary.ids.said); count > 0)
    table.add({"tokens that it never says", std::to_string(count)});
  if (const auto& comparison = outcome.comparison) {
    table.add(
        {"largest difference of a logit", fmt::format("{:.2g}", comparison->largest_difference)});
    table.add({"that rounding explains", fmt::format("{:.2g}", comparison->tolerance())});
    table.add({"the same answer", fmt::format("{} of {}", format_count(comparison->same_answer),
                                              format_count(comparison->answers))});
  }
  return fmt::format("{}  in {}\nnext: {} eval {}\n", table.text(), outcome.run,
                     shell_quoted(program), shell_quoted(outcome.run));
}

[[noreturn]] void refuse_difference(const Comparison& comparison) {
  throw FileError(fmt::format(
      "their logits and ours differ by up to {:.3g}, and rounding explains {:.3g} ({} terms in a "
      "row · {:.2g} · largest logit {:.3g}); {} of {} answers agree; nothing was written",
      comparison.largest_difference, comparison.tolerance(), comparison.depth, comparison.unit,
      comparison.largest_logit, comparison.same_answer, comparison.answers));
}

/// Fills a member, compares it and writes it to its place.
int import_member(Member member, const ImportMap& map, NewRun& place, const Arguments& arguments,
                  Console& console) {
  const std::string& map_path = arguments.required("--map");
  Outcome outcome{.source = arguments.positional(0),
                  .run = arguments.required("--out"),
                  .hash = "",
                  .config = map.config,
                  .parameters = member.model->layout().parameter_count(),
                  .summary = {},
                  .comparison = {}};
  const ForeignFile file = read_foreign(outcome.source);
  outcome.hash = file.hash;
  try {
    outcome.summary = import_weights(map, file, member.weights);
  } catch (const UsageError& error) {
    throw UsageError(fmt::format("{}: {}", quote_path(map_path), error.what()));
  }
  member.weights.pack();
  if (const auto path = arguments.value("--reference")) {
    const TokenIds& ids = outcome.summary.ids;
    const Reference reference =
        read_reference(read_foreign(*path), map.config, ids, member.model->layout());
    const Tensor ours = reference_logits(*member.model, member.weights, map.config, reference);
    outcome.comparison = compare_logits(ours, reference, map.config, ids);
  }
  const bool equal = !outcome.comparison || outcome.comparison->equal();
  if (equal)
    place.save(member.config, member.weights,
               {{"heddle.version", std::string(kVersion)},
                {kImportedFrom, file.hash},
                {kImportMap, Hash().add(read_file(map_path)).hex()}},
               make_task(map.config)->files());
  outcome.written = equal;
  label_defect(map.config, console);
  if (arguments.json()) console.result(outcome_json(outcome));
  if (!equal) refuse_difference(*outcome.comparison);
  if (!arguments.json()) console.result(outcome_text(outcome, arguments.program()));
  return 0;
}

int run_import(const Arguments& arguments, Console& console) {
  const std::string& run = arguments.required("--out");
  check<UsageError>(!run.empty(), "--out is empty: give a folder for the run");
  const ImportMap map = load_import_map(arguments.required("--map"));
  NewRun place(run, map.config);
  return import_member(make_member(map.config), map, place, arguments, console);
}

}  // namespace

Command import_command() {
  return {.name = "import",
          .summary = "Makes a run of a transformer that PyTorch trained.",
          .positionals = {{.name = "WEIGHTS", .help = "its state dict as a safetensors file"}},
          .flags = {{.name = "--map",
                     .value = "MAP",
                     .help = "a JSON file: task, settings, and which tensor is which weight",
                     .required = true},
                    {.name = "--reference",
                     .value = "DUMP",
                     .help = "tokens and logits of its own: nothing is written if ours differ by "
                             "more than rounding explains"},
                    {.name = "--out",
                     .value = "RUN",
                     .help = "the folder for its settings and weights",
                     .required = true}},
          .examples = {"import adder.safetensors --map map.json --out run",
                       "import adder.safetensors --map map.json --reference dump.safetensors "
                       "--out run"},
          .run = run_import};
}

}  // namespace heddle::cli
