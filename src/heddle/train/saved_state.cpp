// See saved_state.hpp.
#include "heddle/train/saved_state.hpp"

#include "heddle/base/file.hpp"
#include "heddle/base/json.hpp"
#include "heddle/base/text.hpp"
#include "heddle/model/checkpoint.hpp"
#include "heddle/model/made_with.hpp"
#include "heddle/train/loop.hpp"

namespace heddle {
namespace {

constexpr const char* kState = "state/training.safetensors";
constexpr const char* kLog = "training_log.json";

std::string numbers_of(const SavedState& saved) {
  return Json{{"step", saved.step},
              {"seconds", saved.seconds},
              {"loss_sum", saved.loss_sum},
              {"loss_count", saved.loss_count},
              {"best_correct", saved.best_correct},
              {"best_loss", saved.best_loss},
              {"smooth_loss", saved.watchdogs.smooth_loss},
              {"on_plateau", saved.watchdogs.on_plateau}}
      .dump();
}

void read_numbers(const std::string& text, SavedState& saved) {
  const auto json = Json::parse(text);
  json.at("step").get_to(saved.step);
  json.at("seconds").get_to(saved.seconds);
  json.at("loss_sum").get_to(saved.loss_sum);
  json.at("loss_count").get_to(saved.loss_count);
  json.at("best_correct").get_to(saved.best_correct);
  json.at("best_loss").get_to(saved.best_loss);
  json.at("smooth_loss").get_to(saved.watchdogs.smooth_loss);
  json.at("on_plateau").get_to(saved.watchdogs.on_plateau);
}

std::vector<std::pair<std::string, Tensor>> buffers(Trainer& trainer, const Weights& best) {
  auto parts = trainer.state();
  parts.emplace_back("best", best.flat());
  return parts;
}

/// What a checkpoint says about itself; nothing that differs between two equal trainings.
Metadata about(const Trainer& trainer, const TrainingLog& log, std::int64_t step) {
  Metadata metadata{{"heddle.version", log.version},
                    {"heddle.isa", log.isa},
                    {kSettingsHash, log.config_hash},
                    {"heddle.seed", std::to_string(trainer.config().seed)},
                    {"heddle.step", std::to_string(step)}};
  if (!log.defect.empty()) metadata["heddle.defect"] = log.defect;
  return metadata;
}

}  // namespace

bool RunFiles::begun() const {
  return file_exists(path(kState)) || file_exists(path("model.safetensors"));
}

bool RunFiles::finished() const {
  if (!file_exists(path(kLog)) || !file_exists(path("model.safetensors"))) return false;
  try {
    return read_training_log(path(kLog)).finished;
  } catch (const Error&) {
    return false;  // the log is written anew from the state
  }
}

bool RunFiles::restore(Trainer& trainer, SavedState& saved, const Weights& best) const {
  if (!file_exists(path(kState))) return false;
  const SafetensorsFile file = read_safetensors(path(kState));
  check<FileError>(file.checked, "{} carries no checksum: it is not what heddle left there",
                   quote_path(path(kState)));
  for (auto& [name, buffer] : buffers(trainer, best)) {
    const Tensor* found = file.find(name);
    check<FileError>(
        found != nullptr && found->shape() == buffer.shape() && found->dtype() == DType::f32,
        "{} has no buffer '{}' of {}; remove the folder to start anew", quote_path(path(kState)),
        name, buffer.shape());
    std::memcpy(buffer.write_shared<float>(), found->data<float>(), buffer.bytes());
  }
  try {
    const TrainingLog now = std::move(saved.log);
    read_numbers(file.metadata.at("numbers"), saved);
    saved.log = parse_training_log(file.metadata.at("log"));
    check_goes_on(saved, now, trainer.config());
  } catch (const std::out_of_range&) {
    throw FileError(fmt::format("{} is not a training state", quote_path(path(kState))));
  } catch (const Json::exception&) {
    throw FileError(fmt::format("{} is not a training state", quote_path(path(kState))));
  }
  return true;
}

void RunFiles::check_goes_on(const SavedState& saved, const TrainingLog& now,
                             const Config& config) const {
  const TrainingLog& then = saved.log;
  check<FileError>(then.isa == now.isa,
                   "{} was trained with --isa {}, this is {}: its bits cannot be continued",
                   quote_path(run_), then.isa, now.isa);
  check_made_with(run_, config, then.config_hash, path(kState));
  check<FileError>(then.data_hash == now.data_hash,
                   "{} changed since the training in {} began (data hash {} then, {} now): put the "
                   "old data back or choose another --out",
                   config.task.from_file() ? quote_path(config.task.path) : "the data",
                   quote_path(run_), then.data_hash, now.data_hash);
  check<FileError>(saved.step >= 1 && saved.step <= config.train.steps,
                   "{} says that it stands at step {}: accepted is 1 to {}, the last one",
                   quote_path(path(kState)), saved.step, config.train.steps);
}

void RunFiles::save(Trainer& trainer, const SavedState& saved, const Weights& best) const {
  make_folder(path("state"));
  std::vector<NamedTensor> tensors;
  for (auto& [name, buffer] : buffers(trainer, best)) tensors.push_back({name, buffer});
  write_safetensors(path(kState), tensors,
                    {{"numbers", numbers_of(saved)}, {"log", to_json(saved.log)}});
  save_log(saved.log);
}

void RunFiles::save_best(const Trainer& trainer, const SavedState& saved,
                         const Weights& best) const {
  save_weights(path("model.safetensors"), best, about(trainer, saved.log, saved.log.best_step));
}

void RunFiles::save_snapshot(Trainer& trainer, const TrainingLog& log, std::int64_t step) const {
  make_folder(path("snapshots"));
  save_weights(run_ + "/" + snapshot_name(step), trainer.evaluated(), about(trainer, log, step));
}

void RunFiles::finish(Trainer& trainer, const SavedState& saved, const Weights& best) const {
  save_best(trainer, saved, best);  // again: a stop may have come between state and checkpoint
  save_weights(path("last.safetensors"), trainer.evaluated(),
               about(trainer, saved.log, saved.step));
  save_log(saved.log);
}

void RunFiles::save_log(const TrainingLog& log) const {
  write_file(path("training_log.csv"), to_csv(log));
  write_training_log(path(kLog), log);
}

}  // namespace heddle
