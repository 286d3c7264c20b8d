// The data of a run for its audit: its task, and what trained it.
#include <algorithm>

#include "heddle/lens/audit/parts.hpp"
#include "heddle/task/registry.hpp"

namespace heddle {
namespace {

constexpr Index kMostDrawn = 1'000'000;  // of a stream: samples that are drawn again

/// Steps of a stream that are drawn again.
Index steps_drawn(const Config& config) {
  return std::min<Index>(config.train.steps,
                         std::max<Index>(kMostDrawn / config.train.batch, Index{1}));
}

}  // namespace

const Questions& AuditData::list(Split split) const {
  if (split == Split::train) return train;
  return split == Split::validation ? task->validation() : task->test();
}

AuditData open_audit_data(const Config& config, const ReadProgress& reading) {
  AuditData data{.task = make_task(config, {.progress = reading}), .train = {}, .drawn = 0};
  const Index size = data.task->train_size();
  if (size == 0) data.drawn = config.train.steps * config.train.batch;
  const Index wanted = size > 0 ? size : steps_drawn(config) * config.train.batch;
  Questions of_step;
  for (Index step = 0; data.train.size() < wanted; ++step) {  // the first epoch holds each once
    data.task->train_questions(step, of_step);
    for (Index i = 0; i < of_step.size() && data.train.size() < wanted; ++i)
      data.train.add(of_step[i]);
  }
  return data;
}

std::string AuditSubject::token(std::int32_t token) const {
  return data != nullptr ? task().token(token) : std::to_string(token);
}

}  // namespace heddle
