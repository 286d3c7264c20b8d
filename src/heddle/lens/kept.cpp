// See kept.hpp.
#include "heddle/lens/kept.hpp"

#include <array>

#include "heddle/base/checked_json.hpp"
#include "heddle/base/decimal.hpp"
#include "heddle/base/file.hpp"
#include "heddle/base/text.hpp"
#include "heddle/base/version.hpp"
#include "heddle/config/task_title.hpp"
#include "heddle/lens/heads.hpp"
#include "heddle/lens/why_not_asked.hpp"
#include "heddle/model/cut.hpp"
#include "heddle/model/made_with.hpp"
#include "heddle/record/sizes.hpp"
#include "heddle/record/training_log.hpp"

namespace heddle {
namespace {

constexpr std::int64_t kSchema = 1;
constexpr const char* kNotYet = "not measured yet";
constexpr const char* kAdvice = ": remove it";

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
  Json tree = read_checked_json(path, kAdvice);
  const auto is_text = [&](const char* key) {
    const Json* found = tree.lookup(key);
    return found == nullptr || found->is_string();
  };
  check<FileError>(is_text("weights") && is_text("settings") && is_text("data") &&
                       tree.contains("lens") && tree["lens"] == Json(name),
                   "{} is not what heddle writes there{}", quote_path(path), kAdvice);
  const Json schema = tree.contains("schema") ? tree["schema"] : Json();
  check<FileError>(schema == Json(kSchema), "{} has schema {}; this version reads {}",
                   quote_path(path), schema.dump(), kSchema);
  return tree;
}

/// What a run holds now, and what was found of it.
struct Gathered {
  const std::string& run;
  KeptOrigin now;
  Config config;
  RunRecord record{};
};

/// Why a result is not shown with the run as it is now; empty if it is.
std::string misfit(const Json& tree, const Gathered& gathered) {
  const KeptOrigin& now = gathered.now;
  const std::string weights = tree.value("weights", ""), settings = tree.value("settings", ""),
                    data = tree.value("data", "");
  const bool about_weights = tree.value("lens", "") != kKeptData;
  if (about_weights && weights.empty())
    return "kept by an older heddle, which did not say of which weights";
  if (about_weights && weights != now.weights)
    return "measured on other weights than those that are there now";
  if (!settings.empty() && !made_with(gathered.run, gathered.config, settings))
    return "measured with other settings than those that are there now";
  if (!data.empty() && !now.data.empty() && data != now.data)
    return "measured on other data than the rest";
  return "";
}

template <class Record>
void fill(const std::string& run, std::string_view name, const Json& tree, Record& record) {
  try {
    from_tree(tree, record);
    if constexpr (requires { check_sizes(record); }) check_sizes(record);
  } catch (const Error& error) {
    throw FileError(fmt::format("{} is not what heddle writes there: {}",
                                quote_path(path_of(run, name)), error.what()));
  }
}

/// Fills one part of the report, or lists it as missing.
template <class Record>
bool take(Gathered& gathered, std::string_view name, Record& part, const MissingPart& otherwise) {
  const Json tree = read_kept(gathered.run, name);
  const std::string why = tree.is_null() ? kNotYet : misfit(tree, gathered);
  if (why.empty()) {
    fill(gathered.run, name, tree, part);
    // Without a training's log the first result says which data the others must have.
    if (gathered.now.data.empty()) gathered.now.data = tree.value("data", "");
  } else if (!otherwise.command.empty()) {
    gathered.record.missing.push_back(
        {.part = otherwise.part, .why = why, .command = otherwise.command});
  }
  return why.empty();
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

/// The line that trained the run, as far as it is known; the settings are the reader's to add.
std::string training_line(const Config& config) {
  const std::string task =
      config.task.from_file() ? "file:" + config.task.path : field_text(config.task.name);
  return fmt::format("heddle train {} … --out RUN", task);
}

/// Whether the log tells of the training that these weights come from.
bool is_log_of(const TrainingLog& log, const Gathered& gathered, const Metadata& metadata) {
  if (!made_with(gathered.run, gathered.config, log.config_hash)) return false;
  const std::string step = text_in(metadata, "heddle.step");
  return !log.finished || step.empty() || step == std::to_string(log.best_step);
}

void describe_training(const TrainingLog& log, RunRecord& record) {
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

void take_log(Gathered& gathered, const Metadata& metadata) {
  const std::string path = gathered.run + "/training_log.json";
  if (!file_exists(path)) return;
  const TrainingLog log = read_training_log(path);
  if (!is_log_of(log, gathered, metadata)) {
    gathered.record.missing.push_back(
        {.part = "the training",
         .why = "its log tells of other weights than those that are there now",
         .command = training_line(gathered.config)});
    return;
  }
  describe_training(log, gathered.record);
  gathered.now.data = log.data_hash;
  const MissingPart data{.part = "the data", .why = "", .command = training_line(gathered.config)};
  const bool expected = gathered.config.task.from_file() && log.finished;
  take(gathered, kKeptData, gathered.record.data, expected ? data : MissingPart{});
}

RunRecord described(const Member& member) {
  const Config& config = member.config;
  RunRecord record;
  record.version = text_in(member.metadata, "heddle.version");
  record.isa = text_in(member.metadata, "heddle.isa");
  record.task = task_title(config.task);
  record.answers = member.model->shape().labels ? "labels" : "sequences";
  record.weights_hash = member.weights_hash;
  record.cut_from = text_in(member.metadata, kCutFrom);
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

void take_pictures(Gathered& gathered, const MissingPart& otherwise) {
  RunPictures kept;
  if (take(gathered, kKeptPictures, kept, otherwise))
    gathered.record.member.pictures = std::move(kept.pictures);
}

}  // namespace

KeptOrigin origin_of(const Member& member) {
  return {.weights = member.weights_hash, .settings = config_hash(member.config), .data = ""};
}

KeptOrigin origin_of(const Member& member, const Task& task) {
  KeptOrigin origin = origin_of(member);
  origin.data = task.data_hash();
  return origin;
}

void keep_tree(const std::string& run, const KeptOrigin& origin, std::string_view name,
               const Json& tree) {
  Json whole{{"schema", kSchema},           {"lens", name},
             {"version", kVersion},         {"weights", origin.weights},
             {"settings", origin.settings}, {"data", origin.data}};
  for (const auto& [key, value] : tree.items()) {
    check(!whole.contains(key), "keep: the field '{}' of {} is the file's own", key, name);
    whole[key] = value;
  }
  make_folder(run + "/lens");
  write_checked_json(path_of(run, name), whole, 1);
}

bool keeps_data(const std::string& run, const KeptOrigin& origin) {
  try {
    const Json tree = read_kept(run, kKeptData);
    return !tree.is_null() && tree.value("data", "") == origin.data;
  } catch (const FileError&) {
    return false;  // it is written anew
  }
}

RunRecord gather_run(const std::string& run) {
  const Member member = load_member(run);
  Gathered gathered{.run = run,
                    .now = {.weights = member.weights_hash, .settings = {}, .data = {}},
                    .config = member.config,
                    .record = described(member)};
  RunRecord& record = gathered.record;
  take_log(gathered, member.metadata);
  const bool scored = take(gathered, kKeptScore, record.score,
                           {.part = "score", .why = "", .command = "heddle eval RUN"});
  take_pictures(gathered,
                {.part = "attention maps", .why = "", .command = scored ? "heddle eval RUN" : ""});
  take(gathered, kKeptAblation, record.member.ablation,
       {.part = "ablation", .why = "", .command = "heddle ablate RUN"});
  take(gathered, kKeptPruning, record.pruning,
       {.part = "pruning", .why = "", .command = "heddle prune RUN --max-drop 0.01 --out SMALLER"});
  take(gathered, kKeptRoles, record.member.specialisation,
       {.part = "roles of heads", .why = "", .command = "heddle specialise RUN"});
  // What is not there is no gap: carries are of addition, pairs and labels the user's own, and an
  // audit is not for the report alone.
  const auto where_kept = [&](const char* name, const char* part, const char* command) {
    const bool there = file_exists(path_of(run, name));
    return MissingPart{.part = part, .why = "", .command = there ? command : ""};
  };
  take(gathered, kKeptPatching, record.member.patching,
       where_kept(kKeptPatching, "patching", "heddle patch RUN"));
  take(gathered, kKeptPairs, record.pairs,
       where_kept(kKeptPairs, "patching between pairs", "heddle patch RUN --pairs FILE"));
  take(gathered, kKeptProbing, record.member.probing,
       where_kept(kKeptProbing, "probes", "heddle probe RUN"));
  take(gathered, kKeptLabels, record.labels,
       where_kept(kKeptLabels, "probes for labels", "heddle probe RUN --labels FILE"));
  take(gathered, kKeptAudit, record.audit, where_kept(kKeptAudit, "audit", "heddle audit RUN"));
  explain_missing(gathered.config, record);
  return std::move(record);
}

}  // namespace heddle
