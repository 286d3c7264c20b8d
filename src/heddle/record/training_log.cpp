// See training_log.hpp.
#include "heddle/record/training_log.hpp"

#include <nlohmann/json.hpp>

#include "heddle/base/check.hpp"

namespace heddle {
namespace {

using Json = nlohmann::ordered_json;

Json json_of(const Count& count) {
  return {{"correct", count.correct}, {"total", count.total}};
}
Count count_of(const Json& json) {
  return {json.at("correct"), json.at("total")};
}

Json json_of(const LogRow& row) {
  Json carries = Json::array();
  for (std::size_t i = 0; i < row.by_carries.size(); ++i)
    carries.push_back({{"carries", i},
                       {"correct", row.by_carries[i].correct},
                       {"total", row.by_carries[i].total}});
  return {{"step", row.step},
          {"samples", row.samples},
          {"seconds", row.seconds},
          {"learning_rate", row.learning_rate},
          {"train_loss", row.train_loss},
          {"gradient_norm", row.gradient_norm},
          {"validation_loss", row.validation_loss},
          {"teacher_forced_tokens", json_of(row.tokens)},
          {"teacher_forced", json_of(row.teacher_forced)},
          {"greedy", json_of(row.greedy)},
          {"by_carries", carries}};
}

LogRow row_of(const Json& json) {
  LogRow row{.step = json.at("step"),
             .samples = json.at("samples"),
             .seconds = json.at("seconds"),
             .learning_rate = json.at("learning_rate"),
             .train_loss = json.at("train_loss"),
             .gradient_norm = json.at("gradient_norm"),
             .validation_loss = json.at("validation_loss"),
             .tokens = count_of(json.at("teacher_forced_tokens")),
             .teacher_forced = count_of(json.at("teacher_forced")),
             .greedy = count_of(json.at("greedy")),
             .by_carries = {}};
  for (const Json& each : json.at("by_carries")) row.by_carries.push_back(count_of(each));
  return row;
}

Json json_of(const SplitMakeup& makeup) {
  return {{"split", makeup.split},
          {"count", makeup.count},
          {"by_carries", makeup.by_carries},
          {"cascades", makeup.cascades},
          {"double_cascades", makeup.double_cascades},
          {"top_carries", makeup.top_carries}};
}

SplitMakeup makeup_of(const Json& json) {
  return {json.at("split"),    json.at("count"),           json.at("by_carries"),
          json.at("cascades"), json.at("double_cascades"), json.at("top_carries")};
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

std::string to_json(const TrainingLog& log) {
  Json makeup = Json::array(), rows = Json::array(), warnings = Json::array();
  for (const SplitMakeup& each : log.makeup) makeup.push_back(json_of(each));
  for (const LogRow& row : log.rows) rows.push_back(json_of(row));
  for (const Warning& each : log.warnings)
    warnings.push_back(
        {{"step", each.step}, {"watchdog", each.watchdog}, {"message", each.message}});
  const Json json{{"version", log.version},         {"isa", log.isa},
                  {"config_hash", log.config_hash}, {"data_hash", log.data_hash},
                  {"defect", log.defect},           {"finished", log.finished},
                  {"best_step", log.best_step},     {"makeup", makeup},
                  {"warnings", warnings},           {"rows", rows}};
  return json.dump(1) + "\n";
}

TrainingLog parse_training_log(std::string_view json) {
  try {
    return log_of(Json::parse(json));
  } catch (const nlohmann::json::exception& error) {
    throw Error(fmt::format("not a training log: {}", error.what()));
  }
}

std::string to_csv(const TrainingLog& log) {
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
