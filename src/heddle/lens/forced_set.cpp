// See forced_set.hpp.
#include "heddle/lens/forced_set.hpp"

#include <algorithm>

namespace heddle {

ForcedSet::ForcedSet(const TaskConfig& task, std::span<const Problem> problems)
    : encoding_(task), problems_(problems.begin(), problems.end()) {
  encoding_->encode(problems, batch_);
  start_ = encoding_->start_token();
  const auto length = static_cast<std::size_t>(batch_.target_length);
  wanted_.resize(problems.size() * length);
  for (std::size_t i = 0; i < problems.size(); ++i) {
    const auto row = std::span(wanted_).subspan(i * length, length);
    encoding_->expected(problems[i], row);
    if (encoding_->start_counts())
      hopeless_.push_back(encoding_->correct(problems[i], row) ? 0 : 1);
  }
}

ForcedSet::ForcedSet(const Config& config, const ExampleList& list, Index first, Index count)
    : labels_(config.classifies()) {
  const TaskShape shape = shape_of(config.task);
  if (labels_) {
    encode_labels(list, first, count, layout_of(config.model), shape, labelled_);
    take_labels(config);
    return;
  }
  encode_pairs(list, first, count, shape, batch_);
  start_ = shape.bos();
  wanted_ = batch_.target_out;
  padded_ = !batch_.source_valid.empty() || std::ranges::count(wanted_, kNoTarget) > 0;
}

ForcedSet::ForcedSet(const Config& config, std::span<const LabelledSequence> sequences)
    : labels_(true) {
  encode(sequences, layout_of(config.model), labelled_);
  take_labels(config);
}

void ForcedSet::take_labels(const Config& config) {
  rows_.fill(labelled_, config.model, {.seed = config.seed});
  wanted_ = labelled_.labels;
  padded_ = std::ranges::find(labelled_.valid, 0) != labelled_.valid.end();
}

ModelInput ForcedSet::input(Index first, Index count) const {
  if (labels_) return rows_.part(labelled_, first, count);
  const Index from = first * batch_.source_length, to = first * batch_.target_length;
  return {.source = {.ids = batch_.source.data() + from,
                     .batch = count,
                     .length = batch_.source_length,
                     .valid =
                         batch_.source_valid.empty() ? nullptr : batch_.source_valid.data() + from},
          .target = {
              .ids = batch_.target_in.data() + to, .batch = count, .length = batch_.target_length}};
}

std::span<const std::int32_t> ForcedSet::wanted(Index row) const {
  const auto length = static_cast<std::size_t>(positions());
  return std::span(wanted_).subspan(static_cast<std::size_t>(row) * length, length);
}

const std::int32_t* ForcedSet::targets(Index first) const {
  return (labels_ ? labelled_.labels.data() : batch_.target_out.data()) + first * positions();
}

Index ForcedSet::used(Stream stream, Index row) const {
  if (stream != Stream::source) return positions() - std::ranges::count(wanted(row), kNoTarget);
  const Index length = source_length();
  const std::vector<std::uint8_t>& valid = labels_ ? labelled_.valid : batch_.source_valid;
  if (valid.empty()) return length;
  const auto marks = std::span(valid).subspan(static_cast<std::size_t>(row * length),
                                              static_cast<std::size_t>(length));
  return std::ranges::count(marks, 1);
}

std::span<const std::int32_t> ForcedSet::source_row(Index row) const {
  return labels_ ? labelled_.row(row) : batch_.source_row(row);
}

}  // namespace heddle
