// See training_log.hpp.
#include "heddle/record/training_log.hpp"

#include <fmt/core.h>

#include "heddle/base/check.hpp"
#include "heddle/base/checked_json.hpp"
#include "heddle/base/text.hpp"
#include "heddle/record/json.hpp"

namespace heddle {
namespace {

Count count_of(const Json& json) {
  return {json.at("correct"), json.at("total")};
}

/// What every task's row begins with.
Json start_of(const LogRow& row) {
  return {{"step", row.step},
          {"samples", row.samples},
          {"seconds", row.seconds},
          {"learning_rate", row.learning_rate},
          {"train_loss", row.train_loss},
          {"gradient_norm", row.gradient_norm},
          {"validation_loss", row.validation_loss}};
}

Json json_of(const LogRow& row) {
  Json json = start_of(row);
  if (row.accuracy.total > 0) {
    json["accuracy"] = json_of(row.accuracy);
    json["predicted_positive"] = row.predicted_positive;
    return json;
  }
  Json carries = Json::array();
  for (std::size_t i = 0; i < row.by_carries.size(); ++i)
    carries.push_back({{"carries", i},
                       {"correct", row.by_carries[i].correct},
                       {"total", row.by_carries[i].total}});
  json["teacher_forced_tokens"] = json_of(row.tokens);
  json["teacher_forced"] = json_of(row.teacher_forced);
  json["greedy"] = json_of(row.greedy);
  json["by_carries"] = carries;
  return json;
}

LogRow row_of(const Json& json) {
  LogRow row;
  json.at("step").get_to(row.step);
  json.at("samples").get_to(row.samples);
  json.at("seconds").get_to(row.seconds);
  json.at("learning_rate").get_to(row.learning_rate);
  json.at("train_loss").get_to(row.train_loss);
  json.at("gradient_norm").get_to(row.gradient_norm);
  json.at("validation_loss").get_to(row.validation_loss);
  if (json.contains("accuracy")) {
    row.accuracy = count_of(json.at("accuracy"));
    row.predicted_positive = json.at("predicted_positive");
    return row;
  }
  row.tokens = count_of(json.at("teacher_forced_tokens"));
  row.teacher_forced = count_of(json.at("teacher_forced"));
  row.greedy = count_of(json.at("greedy"));
  for (const Json& each : json.at("by_carries")) row.by_carries.push_back(count_of(each));
  return row;
}

Json json_of(const SplitMakeup& makeup) {
  if (makeup.examples)
    return {{"split", makeup.split}, {"count", makeup.count}, {"examples", true}};
  if (makeup.by_carries.empty())
    return {{"split", makeup.split}, {"count", makeup.count}, {"positives", makeup.positives},
            {"ties", makeup.ties},   {"gap1", makeup.gap1},   {"descents", makeup.descents}};
  return {{"split", makeup.split},
          {"count", makeup.count},
          {"by_carries", makeup.by_carries},
          {"cascades", makeup.cascades},
          {"double_cascades", makeup.double_cascades},
          {"top_carries", makeup.top_carries}};
}

SplitMakeup makeup_of(const Json& json) {
  SplitMakeup makeup;
  json.at("split").get_to(makeup.split);
  json.at("count").get_to(makeup.count);
  makeup.examples = json.contains("examples");
  if (makeup.examples) return makeup;
  if (!json.contains("by_carries")) {
    json.at("positives").get_to(makeup.positives);
    json.at("ties").get_to(makeup.ties);
    json.at("gap1").get_to(makeup.gap1);
    json.at("descents").get_to(makeup.descents);
    return makeup;
  }
  json.at("by_carries").get_to(makeup.by_carries);
  json.at("cascades").get_to(makeup.cascades);
  json.at("double_cascades").get_to(makeup.double_cascades);
  json.at("top_carries").get_to(makeup.top_carries);
  return makeup;
}

TrainingLog log_of(const Json& json) {
  TrainingLog log{.version = json.at("version"),
                  .isa = json.at("isa"),
                  .config_hash = json.at("config_hash"),
                  .data_hash = json.at("data_hash"),
                  .defect = json.at("defect"),
                  .makeup = {},
                  .rows = {},
                  .warnings = {},
                  .best_step = json.at("best_step"),
                  .finished = json.at("finished")};
  for (const Json& each : json.at("makeup")) log.makeup.push_back(makeup_of(each));
  for (const Json& each : json.at("rows")) log.rows.push_back(row_of(each));
  for (const Json& each : json.at("warnings"))
    log.warnings.push_back({each.at("step"), each.at("watchdog"), each.at("message")});
  return log;
}

}  // namespace

std::string text_of(const Warning& warning) {
  return fmt::format("step {}, {}: {}", warning.step, warning.watchdog, warning.message);
}

std::string of_no_examples(std::string_view split) {
  return split == "train" ? "fresh ones at every step" : "none: nothing is held out";
}

namespace {

Json tree_of(const TrainingLog& log) {
  Json makeup = Json::array(), rows = Json::array(), warnings = Json::array();
  for (const SplitMakeup& each : log.makeup) makeup.push_back(json_of(each));
  for (const LogRow& row : log.rows) rows.push_back(json_of(row));
  for (const Warning& each : log.warnings)
    warnings.push_back(
        {{"step", each.step}, {"watchdog", each.watchdog}, {"message", each.message}});
  return {{"version", log.version},         {"isa", log.isa},
          {"config_hash", log.config_hash}, {"data_hash", log.data_hash},
          {"defect", log.defect},           {"finished", log.finished},
          {"best_step", log.best_step},     {"makeup", makeup},
          {"warnings", warnings},           {"rows", rows}};
}

}  // namespace

std::string to_json(const TrainingLog& log) {
  return tree_of(log).dump(1) + "\n";
}

void write_training_log(const std::string& path, const TrainingLog& log) {
  write_checked_json(path, tree_of(log), 1);
}

TrainingLog read_training_log(const std::string& path) {
  const Json json = read_checked_json(path);
  try {
    return log_of(json);
  } catch (const Json::exception& error) {
    throw FileError(fmt::format("{} is not a training log: {}", quote_path(path), error.what()));
  }
}

TrainingLog parse_training_log(std::string_view json) {
  try {
    return log_of(Json::parse(json));
  } catch (const Json::exception& error) {
    throw Error(fmt::format("not a training log: {}", error.what()));
  }
}

namespace {

std::string classifier_csv(const TrainingLog& log) {
  std::string out =
      "step,samples,seconds,learning_rate,train_loss,gradient_norm,validation_loss,accuracy,"
      "predicted_positive\n";
  for (const LogRow& row : log.rows)
    out += fmt::format("{},{},{:.3f},{},{},{},{},{},{}\n", row.step, row.samples, row.seconds,
                       row.learning_rate, row.train_loss, row.gradient_norm, row.validation_loss,
                       row.accuracy.share(), row.predicted_positive);
  return out;
}

}  // namespace

std::string to_csv(const TrainingLog& log) {
  if (!log.rows.empty() && log.rows[0].accuracy.total > 0) return classifier_csv(log);
  std::string out =
      "step,samples,seconds,learning_rate,train_loss,gradient_norm,validation_loss,"
      "token_accuracy,teacher_forced_accuracy,greedy_accuracy";
  const std::size_t classes = log.rows.empty() ? 0 : log.rows[0].by_carries.size();
  for (std::size_t i = 0; i < classes; ++i) out += fmt::format(",greedy_accuracy_{}_carries", i);
  out += "\n";
  for (const LogRow& row : log.rows) {
    out += fmt::format("{},{},{:.3f},{},{},{},{},{},{},{}", row.step, row.samples, row.seconds,
                       row.learning_rate, row.train_loss, row.gradient_norm, row.validation_loss,
                       row.tokens.share(), row.teacher_forced.share(), row.greedy.share());
    for (const Count& count : row.by_carries) out += fmt::format(",{}", count.share());
    out += "\n";
  }
  return out;
}

}  // namespace heddle
