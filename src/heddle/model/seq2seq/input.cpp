// What an encoder-decoder reads: source [x… PAD…], target [BOS y… PAD…], wanted [y… EOS].
#include "heddle/model/input.hpp"

#include <algorithm>

#include "heddle/base/index.hpp"
#include "heddle/base/rng.hpp"
#include "heddle/model/seq2seq/seq2seq.hpp"

namespace heddle {
namespace {

/// The answer's words in the order in which they are said: the i-th of them.
std::int32_t said_word(const TaskShape& shape, std::span<const std::int32_t> output,
                       std::size_t i) {
  return output[shape.last_word_first ? output.size() - 1 - i : i];
}

void write_target(const TaskShape& shape, std::span<const std::int32_t> output,
                  std::span<std::int32_t> in, std::span<std::int32_t> wanted) {
  const std::size_t skipped = shape.start_counts() ? 1 : 0, said = output.size() - skipped;
  std::ranges::fill(in, shape.pad());
  std::ranges::fill(wanted, kNoTarget);
  in[0] = shape.start_counts() ? said_word(shape, output, 0) : shape.bos();
  for (std::size_t i = 0; i < said; ++i) {
    wanted[i] = said_word(shape, output, i + skipped);
    if (i + 1 < in.size()) in[i + 1] = wanted[i];
  }
  if (!shape.start_counts()) wanted[said] = shape.eos();
}

void write_source(const TaskShape& shape, std::span<const std::int32_t> input, Index row,
                  EncodedQuestions& out) {
  const auto length = to_size(out.source_length);
  const auto all = std::span(out.source).subspan(to_size(row) * length, length);
  std::ranges::fill(std::ranges::copy(input, all.begin()).out, all.end(), shape.pad());
}

/// Rows in training count their digits from places of their own.
void draw_starts(const ModelConfig& config, const RowDraws& draws, EncodedQuestions& out) {
  out.starts.clear();
  if (draws.purpose != Purpose::training || !counts_digits(config.position) ||
      config.position_starts == 1)
    return;
  for (std::uint64_t row = 0; row < static_cast<std::uint64_t>(out.size); ++row) {
    Rng rng(draws.seed, "starts", draws.first + row);
    out.starts.push_back(
        static_cast<std::int32_t>(rng.below(static_cast<std::uint64_t>(config.position_starts))));
  }
}

}  // namespace

void Seq2Seq::encode_questions(const Questions& list, Index first, Index count,
                               const RowDraws& draws, EncodedQuestions& out) const {
  out.size = count;
  out.labels = false;
  out.source_length = list.longest_input(first, count);
  out.target_length = shape().target_length(list.longest_output(first, count));
  out.start = shape().start_token();
  out.source.resize(to_size(count * out.source_length));
  out.target_in.resize(to_size(count * out.target_length));
  out.wanted.resize(to_size(count * out.target_length));
  out.unanswerable.clear();
  for (Index row = 0; row < count; ++row) {
    const auto [input, output] = list[first + row];
    write_source(shape(), input, row, out);
    const auto start = to_size(row * out.target_length), length = to_size(out.target_length);
    write_target(shape(), output, std::span(out.target_in).subspan(start, length),
                 std::span(out.wanted).subspan(start, length));
    if (shape().start_counts())
      out.unanswerable.push_back(said_word(shape(), output, 0) == out.start ? 0 : 1);
  }
  out.scored.clear();
  if (shape().unscored_word != kNoTarget) {
    out.scored = out.wanted;
    std::ranges::replace(out.scored, shape().unscored_word, kNoTarget);
  }
  complete_rows(draws, out);
}

void Seq2Seq::complete_rows(const RowDraws& draws, EncodedQuestions& rows) const {
  rows.source_valid.clear();
  if (std::ranges::find(rows.source, shape().pad()) != rows.source.end())
    for (const std::int32_t token : rows.source)
      rows.source_valid.push_back(token == shape().pad() ? 0 : 1);
  draw_starts(config_, draws, rows);
}

}  // namespace heddle
