// See kept.hpp.
#include "heddle/lens/kept.hpp"

#include <array>

#include "heddle/base/decimal.hpp"
#include "heddle/base/file.hpp"
#include "heddle/base/text.hpp"
#include "heddle/base/version.hpp"
#include "heddle/config/task_title.hpp"
#include "heddle/lens/heads.hpp"
#include "heddle/lens/why_not_asked.hpp"
#include "heddle/model/cut.hpp"
#include "heddle/record/training_log.hpp"
#include "heddle/tensor/safetensors.hpp"

namespace heddle {
namespace {

constexpr std::int64_t kSchema = 1;
constexpr const char* kNotYet = "not measured yet";
constexpr const char* kOthers = "measured on other weights than those that are there now";

Metadata weights_metadata(const std::string& run) {
  return read_safetensors(run + "/model.safetensors").metadata;
}

std::string text_in(const Metadata& metadata, const std::string& key) {
  const auto found = metadata.find(key);
  return found == metadata.end() ? "" : found->second;
}

std::string path_of(const std::string& run, std::string_view name) {
  return fmt::format("{}/lens/{}.json", run, name);
}

/// What a lens left, as it stands in its file; null where there is none.
Json read_kept(const std::string& run, std::string_view name) {
  const std::string path = path_of(run, name);
  if (!file_exists(path)) return {};
  Json tree = Json::try_parse(read_file(path));
  check<FileError>(tree.is_object() && tree.value("lens", "") == name,
                   "{} is cut off or not what heddle writes there: remove it", quote_path(path));
  check<FileError>(tree.value("schema", std::int64_t{0}) == kSchema,
                   "{} has schema {}; this version reads {}", quote_path(path),
                   tree.contains("schema") ? tree["schema"].dump() : "none", kSchema);
  return tree;
}

template <class Record>
void fill(const std::string& run, std::string_view name, const Json& tree, Record& record) {
  try {
    from_tree(tree, record);
  } catch (const Error& error) {
    throw FileError(fmt::format("{} is not what heddle writes there: {}",
                                quote_path(path_of(run, name)), error.what()));
  }
}

/// Fills one part of the report, or lists it as missing.
template <class Record>
bool take(const std::string& run, std::string_view name, Record& part, RunRecord& record,
          const MissingPart& otherwise) {
  const Json tree = read_kept(run, name);
  const bool fits = !tree.is_null() && tree.value("weights", "") == record.weights_hash;
  if (fits) {
    fill(run, name, tree, part);
  } else if (!otherwise.command.empty()) {
    record.missing.push_back({.part = otherwise.part,
                              .why = tree.is_null() ? kNotYet : kOthers,
                              .command = otherwise.command});
  }
  return fits;
}

std::string words_of(const SplitMakeup& split) {
  if (split.examples) return "";
  if (split.by_carries.empty())
    return fmt::format("{} sorted; ties {}, gaps of 1 {}; {} descents in an unsorted one",
                       format_percent(split.positives, 1), format_percent(split.ties, 1),
                       format_percent(split.gap1, 1), format_fixed(split.descents, 2));
  return fmt::format("0 … {} carries: {}; cascades {}", split.by_carries.size() - 1,
                     format_percents(split.by_carries, 1, ", "), format_percent(split.cascades, 1));
}

RunRow row_of(const LogRow& row) {
  return {.step = row.step,
          .samples = row.samples,
          .learning_rate = row.learning_rate,
          .train_loss = row.train_loss,
          .validation_loss = row.validation_loss,
          .tokens = row.tokens,
          .teacher_forced = row.teacher_forced,
          .greedy = row.greedy,
          .accuracy = row.accuracy};
}

void take_log(const std::string& run, RunRecord& record) {
  const std::string path = run + "/training_log.json";
  if (!file_exists(path)) return;
  TrainingLog log;
  try {
    log = parse_training_log(read_file(path));
  } catch (const FileError&) {
    throw;
  } catch (const Error& error) {
    throw FileError(fmt::format("{}: {}", quote_path(path), error.what()));
  }
  record.version = log.version;
  record.isa = log.isa;
  record.member.data_hash = log.data_hash;
  record.finished = log.finished;
  record.best_step = log.best_step;
  for (const SplitMakeup& split : log.makeup)
    record.splits.push_back(
        {.split = split.split, .count = split.count, .makeup = words_of(split)});
  for (const Warning& warning : log.warnings) record.warnings.push_back(text_of(warning));
  for (const LogRow& row : log.rows) record.curve.push_back(row_of(row));
  if (log.rows.empty()) return;
  record.steps = log.rows.back().step;
  record.samples = log.rows.back().samples;
}

RunRecord described(const std::string& run) {
  const Member member = load_member(run);
  const Config& config = member.config;
  const Metadata metadata = weights_metadata(run);
  RunRecord record;
  record.version = text_in(metadata, "heddle.version");
  record.isa = text_in(metadata, "heddle.isa");
  record.task = task_title(config.task);
  record.answers = member.model->shape().labels ? "labels" : "sequences";
  record.weights_hash = text_in(metadata, "heddle.checksum");
  record.cut_from = text_in(metadata, kCutFrom);
  record.parameters = member.model->layout().parameter_count();
  record.heads = static_cast<std::int64_t>(heads_of(member).size());
  for (const Setting& setting : settings(config))
    record.settings.push_back(
        {.name = setting.name, .value = setting.value, .usual = setting.default_value});
  record.member.recipe = record.task;
  record.member.seed = config.seed;
  record.member.config_hash = config_hash(config);
  record.member.defect = config.defect_note();
  return record;
}

void take_pictures(const std::string& run, RunRecord& record, const MissingPart& otherwise) {
  RunPictures kept;
  if (take(run, kKeptPictures, kept, record, otherwise))
    record.member.pictures = std::move(kept.pictures);
}

}  // namespace

void keep_tree(const std::string& run, std::string_view name, const Json& tree) {
  Json whole{{"schema", kSchema},
             {"lens", name},
             {"version", kVersion},
             {"weights", text_in(weights_metadata(run), "heddle.checksum")}};
  whole.update(tree);
  make_folder(run + "/lens");
  write_file(path_of(run, name), whole.dump(1, Json::OnBadText::replace) + "\n");
}

RunRecord gather_run(const std::string& run) {
  RunRecord record = described(run);
  take_log(run, record);
  if (const Json data = read_kept(run, kKeptData); !data.is_null())
    fill(run, kKeptData, data, record.data);
  const bool scored = take(run, kKeptScore, record.score, record,
                           {.part = "score", .why = "", .command = "heddle eval RUN"});
  take_pictures(run, record,
                {.part = "attention maps", .why = "", .command = scored ? "heddle eval RUN" : ""});
  take(run, kKeptAblation, record.member.ablation, record,
       {.part = "ablation", .why = "", .command = "heddle ablate RUN"});
  take(run, kKeptPruning, record.pruning, record,
       {.part = "pruning", .why = "", .command = "heddle prune RUN --max-drop 0.01 --out SMALLER"});
  take(run, kKeptRoles, record.member.specialisation, record,
       {.part = "roles of heads", .why = "", .command = "heddle specialise RUN"});
  // What is not there is no gap: carries are of addition, pairs and labels the user's own, and an
  // audit is not for the report alone.
  const auto where_kept = [&](const char* name, const char* part, const char* command) {
    const bool there = file_exists(path_of(run, name));
    return MissingPart{.part = part, .why = "", .command = there ? command : ""};
  };
  take(run, kKeptPatching, record.member.patching, record,
       where_kept(kKeptPatching, "patching", "heddle patch RUN"));
  take(run, kKeptPairs, record.pairs, record,
       where_kept(kKeptPairs, "patching between pairs", "heddle patch RUN --pairs FILE"));
  take(run, kKeptProbing, record.member.probing, record,
       where_kept(kKeptProbing, "probes", "heddle probe RUN"));
  take(run, kKeptLabels, record.labels, record,
       where_kept(kKeptLabels, "probes for labels", "heddle probe RUN --labels FILE"));
  take(run, kKeptAudit, record.audit, record, where_kept(kKeptAudit, "audit", "heddle audit RUN"));
  explain_missing(load_config(run), record);
  return record;
}

}  // namespace heddle
