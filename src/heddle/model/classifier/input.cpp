// What a classifier reads: rows [BOS] [CLS] x… [CLS] PAD…, which of them count, what is pooled, and
// places of its own where the encoding draws them.
#include "heddle/model/input.hpp"

#include <algorithm>

#include "heddle/base/index.hpp"
#include "heddle/base/rng.hpp"
#include "heddle/kernels/loss.hpp"
#include "heddle/model/classifier/classifier.hpp"
#include "heddle/model/classifier/rows.hpp"
#include "heddle/task/row_layout.hpp"

namespace heddle {
namespace {

void write_row(const TaskShape& shape, const RowLayout& layout, std::span<const std::int32_t> words,
               std::span<std::int32_t> row) {
  const auto used = to_size(layout.length(std::ssize(words)));
  std::ranges::fill(row.subspan(used), shape.pad());
  if (layout.bos) row.front() = shape.bos();
  if (layout.cls == ClsPlace::front) row[layout.bos ? 1 : 0] = shape.cls();
  if (layout.cls == ClsPlace::back) row[used - 1] = shape.cls();
  std::ranges::copy(words, row.subspan(to_size(layout.front())).begin());
}

/// Padding draws nothing, so that a row does not depend on those it is padded beside; it stands
/// where the last token does.
void draw_row_places(const ModelConfig& config, const RowDraws& draws, Index row,
                     EncodedQuestions& out) {
  const bool training = draws.purpose == Purpose::training;
  Rng rng(draws.seed, training ? "places.train" : "places.eval",
          draws.first + static_cast<std::uint64_t>(row));
  const auto length = to_size(out.source_length);
  const auto first = to_size(row) * length;
  const auto places = std::span(out.places).subspan(first, length);
  const auto used =
      to_size(std::ranges::count(std::span(out.source_valid).subspan(first, length), 1));
  draw_places(config, rng, draws.purpose, places.first(used));
  std::ranges::fill(places.subspan(used), used > 0 ? places[used - 1] : 0);
}

/// Forgets marks that mark nothing: the model has quicker ways without them.
void drop_if_all(std::vector<std::uint8_t>& marks) {
  if (std::ranges::find(marks, 0) == marks.end()) marks.clear();
}

}  // namespace

void Classifier::encode_questions(const Questions& list, Index first, Index count,
                                  const RowDraws& draws, EncodedQuestions& out) const {
  const RowLayout layout = row_layout(config_);
  out.size = count;
  out.labels = true;
  out.source_length = layout.length(list.longest_input(first, count));
  out.source.resize(to_size(count * out.source_length));
  out.wanted.resize(to_size(count));
  for (Index row = 0; row < count; ++row) {
    const Question question = list[first + row];
    const auto start = to_size(row * out.source_length), length = to_size(out.source_length);
    write_row(shape(), layout, question.input, std::span(out.source).subspan(start, length));
    out.wanted[to_size(row)] = question.label();
  }
  complete_rows(draws, out);
}

void Classifier::complete_rows(const RowDraws& draws, EncodedQuestions& rows) const {
  rows.summary = row_layout(config_).cls == ClsPlace::back ? kLastToken : 0;
  rows.source_valid.clear();
  rows.pooled.clear();
  for (const std::int32_t token : rows.source) {
    rows.source_valid.push_back(token == shape().pad() ? 0 : 1);
    rows.pooled.push_back(token < shape().words ? 1 : 0);
  }
  const bool drawn = config_.position == PositionKind::random_offset ||
                     config_.position == PositionKind::randomised;
  rows.places.resize(drawn ? rows.source.size() : 0);
  for (Index row = 0; drawn && row < rows.size; ++row) draw_row_places(config_, draws, row, rows);
  drop_if_all(rows.pooled);
  if (!rows.pooled.empty() && config_.pooling == PoolingSetting::cls)
    rows.pooled = rows.source_valid;  // the summary is no value
  drop_if_all(rows.source_valid);
}

void Classifier::answer(Run& run, const ModelInput& input, Activations& at,
                        std::span<std::int32_t> said, float* logits) const {
  if (at.logits.value.empty()) forward(run, input, at);
  kernels::argmax(at.logits.value.rows<float>(), said.data());
  if (logits != nullptr) std::ranges::copy(at.logits.value.flat<float>(), logits);
}

}  // namespace heddle
