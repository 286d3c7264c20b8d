// Digits to tokens and back.
#include "heddle/task/addition/encoding.hpp"

#include <algorithm>
#include <array>

#include "heddle/base/index.hpp"

namespace heddle {

static_assert(TaskConfig::kMaxDigits == kMaxDigits);

AdditionEncoding::AdditionEncoding(const TaskConfig& config)
    : digits_(static_cast<int>(config.digits)),
      order_(config.order),
      bos_(config.bos),
      pad_(config.pad) {}

int AdditionEncoding::column_of(Index position) const {
  const auto place =
      static_cast<int>(position) + (start_counts() ? 1 : 0);  // among the sum's digits
  if (place > digits_) return -1;
  return order_ == DigitOrder::most ? digits_ - place : place;
}

int AdditionEncoding::source_column(Index position) const {
  const auto place = static_cast<int>(position);
  if (place == digits_) return -1;
  return place < digits_ ? digits_ - 1 - place : 2 * digits_ - place;
}

int AdditionEncoding::target_column(Index position) const {
  const auto place = static_cast<int>(position) - (start_counts() ? 0 : 1);  // among the digits
  if (place < 0) return -1;
  return order_ == DigitOrder::most ? digits_ - place : place;
}

void AdditionEncoding::digits_in_order(const Problem& problem, std::span<std::int32_t> out) const {
  const SumDigits sum = sum_of(problem);
  std::copy_n(sum.begin(), out.size(), out.begin());
  if (order_ == DigitOrder::most) std::ranges::reverse(out);
}

void AdditionEncoding::encode(std::span<const Problem> problems, Batch& batch) const {
  batch.resize(std::ssize(problems), source_length(), target_length());
  Index row = 0;
  for (const Problem& problem : problems) encode_row(problem, batch, row++);
}

void AdditionEncoding::encode_row(const Problem& problem, Batch& batch, Index row) const {
  const auto n = to_size(digits_);
  const std::span<std::int32_t> source = batch.source_row(row);
  for (std::size_t i = 0; i < n; ++i) {
    source[n - 1 - i] = problem.a[i];
    source[2 * n - i] = problem.b[i];
  }
  source[n] = kPlus;

  const std::span<std::int32_t> out = batch.target_out_row(row);
  expected(problem, out);
  // The decoder reads what came before: the start (or, with the defect, the first digit), then out.
  const std::span<std::int32_t> in = batch.target_in_row(row);
  std::array<std::int32_t, kMaxDigits + 1> sum{};
  digits_in_order(problem, std::span(sum).first(n + 1));
  in[0] = start_counts() ? sum[0] : kBos;
  std::copy_n(out.begin(), out.size() - 1, in.begin() + 1);

  if (pad_ == PadKind::zero) std::ranges::replace(out, 0, kNoTarget);
}

void AdditionEncoding::expected(const Problem& problem, std::span<std::int32_t> out) const {
  const auto length = to_size(sum_length());
  std::array<std::int32_t, kMaxDigits + 1> sum{};
  digits_in_order(problem, std::span(sum).first(length));
  const std::size_t skipped = start_counts() ? 1 : 0;
  std::copy_n(sum.begin() + static_cast<Index>(skipped), length - skipped, out.begin());
  if (!start_counts()) out[length] = kEos;
}

bool AdditionEncoding::correct(const Problem& problem,
                               std::span<const std::int32_t> generated) const {
  std::array<std::int32_t, kMaxDigits + 2> wanted{};
  const std::span<std::int32_t> out = std::span(wanted).first(to_size(target_length()));
  expected(problem, out);
  if (start_counts()) {
    std::array<std::int32_t, kMaxDigits + 1> sum{};
    digits_in_order(problem, std::span(sum).first(to_size(sum_length())));
    if (sum[0] != start_token()) return false;
  }
  return std::ranges::equal(generated, out);
}

std::string AdditionEncoding::answer_text(std::span<const std::int32_t> generated) const {
  std::vector<std::int32_t> tokens;
  if (start_counts()) tokens.push_back(start_token());
  tokens.insert(tokens.end(), generated.begin(), std::ranges::find(generated, kEos));
  if (order_ == DigitOrder::least) std::ranges::reverse(tokens);
  return tokens_text(tokens);
}

}  // namespace heddle
