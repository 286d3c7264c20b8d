// Checks of the numbers that a run or its author reports: counts, means of batch means, a plateau.
#include <algorithm>
#include <cmath>

#include "heddle/base/index.hpp"
#include "heddle/base/text.hpp"
#include "heddle/eval/score.hpp"
#include "heddle/lens/audit/parts.hpp"

namespace heddle {
namespace {

/// The mean of the accuracies of batches of `size`, the last as it is.
double mean_of_batches(std::span<const std::uint8_t> right, Index size) {
  double sum = 0;
  Index batches = 0;
  for (std::size_t first = 0; first < right.size(); first += to_size(size)) {
    const auto batch = right.subspan(first, std::min(to_size(size), right.size() - first));
    sum += static_cast<double>(std::ranges::count(batch, 1)) / static_cast<double>(batch.size());
    ++batches;
  }
  return batches > 0 ? sum / static_cast<double>(batches) : 0;
}

/// How many right answers of `total` make the claim as a mean over batches of `size`; −1: none do.
/// With n full batches, S right in them and s of the r questions left over:
/// (S/size + s/r) / (n + 1).
std::int64_t right_in_batches(const AuditClaim& claim, std::int64_t total, std::int64_t size) {
  const std::int64_t full = total / size, rest = total % size;
  const auto batches = static_cast<double>(full + (rest > 0 ? 1 : 0));
  for (std::int64_t s = rest; s >= 0; --s) {
    const double last = rest > 0 ? static_cast<double>(s) / static_cast<double>(rest) : 0;
    const double exact = (claim.share * batches - last) * static_cast<double>(size);
    const auto right = std::llround(exact);
    if (right < 0 || right > full * size) continue;
    const double mean = (static_cast<double>(right) / static_cast<double>(size) + last) / batches;
    if (std::abs(mean - claim.share) <= claim.rounding) return right + s;
  }
  return -1;
}

/// Sizes that people use, the run's own first.
std::vector<std::int64_t> usual_sizes(std::int64_t own, std::int64_t total) {
  std::vector<std::int64_t> sizes{own, 64, 32, 128, 256, 512, 16, 8, 1024, 100, 50, 200, 500, 1000};
  std::vector<std::int64_t> kept;
  for (const std::int64_t size : sizes)
    if (size > 0 && size < total && std::ranges::find(kept, size) == kept.end())
      kept.push_back(size);
  return kept;
}

AuditCheck claim_check(const AuditSubject& s, const AuditClaim& claim) {
  AuditCheck check{.name = "claimed accuracy"};
  const std::int64_t total = s.asked.size;
  const auto nearest = std::llround(claim.share * static_cast<double>(total));
  const double off = static_cast<double>(nearest) / static_cast<double>(total) - claim.share;
  const Count measured = s.answers->count();
  check.evidence = {{"claimed", fmt::format("{:.10g} %", 100 * claim.share)},
                    {"measured", count_text(measured.correct, measured.total)},
                    {"nearest count", count_text(nearest, total)}};
  constexpr double kSlack = 1e-12;  // of the arithmetic above
  if (std::abs(off) <= claim.rounding + kSlack) {
    check.finding = fmt::format("it can be {}", count_text(nearest, total));
    return check;
  }
  check.verdict = AuditCheck::kFail;
  check.finding = fmt::format("no number of right answers of {} is {:.10g} %", format_count(total),
                              100 * claim.share);
  std::vector<std::string> sizes;
  for (const std::int64_t size : usual_sizes(s.member.config.train.batch, total)) {
    const std::int64_t right = right_in_batches(claim, total, size);
    if (right < 0) continue;
    if (sizes.empty())
      check.finding += fmt::format("; as a mean of batch means with batches of {} it is {} right",
                                   size, count_text(right, total));
    sizes.push_back(std::to_string(size));
  }
  if (!sizes.empty())
    check.evidence.push_back({"batch sizes whose mean of means it can be", join(sizes, ", ")});
  check.meaning = sizes.empty()
                      ? "it was counted on another set, or is no share of right answers"
                      : "a mean of batch means weighs the questions of a short last batch more";
  check.advice = "report right answers and questions, and divide once";
  return check;
}

/// The log's counts must be counts of the set that they are about.
const LogRow* impossible_row(const AuditSubject& s) {
  if (s.log == nullptr || s.data == nullptr) return nullptr;
  for (const LogRow& row : s.log->rows) {
    const Count& count = s.asked.labels ? row.accuracy : row.greedy;
    if (count.correct < 0 || count.correct > count.total ||
        count.total != s.task().validation().size())
      return &row;
  }
  return nullptr;
}

AuditCheck batch_means(const AuditSubject& s) {
  AuditCheck check{.name = "batch-mean arithmetic"};
  const Count right = s.answers->count();
  const Index size = s.member.config.train.batch;
  const double mean = mean_of_batches(s.answers->right, size), difference = mean - right.share();
  check.evidence = {
      {"right", count_text(right.correct, right.total)},
      {fmt::format("mean of batch means, batches of {}", size),
       fmt::format("{:.10g} %", 100 * mean)},
      {"difference", fmt::format("{:+.4f} points", 100 * difference)},
      {"last batch", format_count(right.total % size == 0 ? size : right.total % size)}};
  check.finding = fmt::format("as a count {:.6g} %, as a mean of batch means {:.10g} %",
                              100 * right.share(), 100 * mean);
  const LogRow* wrong = impossible_row(s);
  if (wrong == nullptr) return check;
  const Count& count = s.asked.labels ? wrong->accuracy : wrong->greedy;
  check.verdict = AuditCheck::kFail;
  check.finding =
      fmt::format("the log's accuracy at step {} is {} of {}, and validation has {}", wrong->step,
                  count.correct, count.total, s.task().validation().size());
  check.meaning = "this number is no count of right answers of that set";
  check.advice = "train the run again: its log was changed, or belongs to other data";
  return check;
}

AuditCheck test_size(const AuditSubject& s) {
  constexpr double kWide = 0.1;
  AuditCheck check{.name = "size of the test"};
  const Count right = s.answers->count();
  const Interval interval = wilson(right);
  const double width = interval.high - interval.low;
  check.finding =
      fmt::format("{} questions: {} right, 95 % interval {} to {}", format_count(right.total),
                  share_text(right.share()), share_text(interval.low), share_text(interval.high));
  if (width <= kWide) return check;
  check.verdict = AuditCheck::kNote;
  check.meaning = fmt::format("the interval is {:.0f} points wide: small differences mean nothing",
                              100 * width);
  check.advice = "ask more questions before two runs are compared";
  return check;
}

AuditCheck plateau(const AuditSubject& s) {
  constexpr double kNear = 0.01;  // nat
  AuditCheck check{.name = "plateau"};
  if (s.log == nullptr || s.log->rows.empty())
    return could_not_tell(check.name, "the run has no training log");
  if (s.data == nullptr) return could_not_tell(check.name, s.no_data);
  const auto& rows = s.log->rows;
  const double entropy = prior_entropy(s.asked);
  const auto near = [&](const LogRow& row) { return std::abs(row.train_loss - entropy) < kNear; };
  const auto on = std::ranges::count_if(rows, near);
  const auto tail = std::max<std::ptrdiff_t>(1, std::ssize(rows) / 5);
  const bool ends_there = std::all_of(rows.end() - tail, rows.end(), near);
  check.evidence = {{"entropy of the labels", fmt::format("{:.4f} nat", entropy)},
                    {"training loss at the end", fmt::format("{:.4f} nat", rows.back().train_loss)},
                    {"validations with a loss that near", count_text(on, std::ssize(rows))}};
  check.finding = fmt::format("the loss ends at {:.4f} nat, the entropy of the labels is {:.4f}",
                              rows.back().train_loss, entropy);
  if (!ends_there) return check;
  check.verdict = AuditCheck::kFail;
  check.finding += fmt::format("; so near in {} validations", count_text(on, std::ssize(rows)));
  check.meaning = "nothing but the frequency of the labels was learned";
  check.advice = "try pre-norm, a warm-up, a smaller rate or more steps";
  return check;
}

AuditCheck same_data(const AuditSubject& s) {
  AuditCheck check{.name = "same data"};
  if (s.log == nullptr) return could_not_tell(check.name, "the run has no training log");
  if (s.data == nullptr) return could_not_tell(check.name, s.no_data);
  const std::string now = s.task().data_hash();
  check.evidence = {{"data hash in the log", s.log->data_hash}, {"data hash now", now}};
  check.finding = "the data is what the run was trained on";
  if (s.log->data_hash == now) return check;
  check.verdict = AuditCheck::kFail;
  check.finding =
      fmt::format("the data has hash {}, and the run was trained on {}", now, s.log->data_hash);
  check.meaning = "what is called held out now may have trained, and the other way round";
  check.advice = "bring back the data of the training, or train again";
  return check;
}

}  // namespace

AuditClaim parse_claim(std::string_view text) {
  std::string_view digits = text;
  const bool percent = digits.ends_with('%');
  if (percent) digits.remove_suffix(1);
  while (digits.ends_with(' ')) digits.remove_suffix(1);
  const bool plain = digits.find_first_not_of("0123456789.") == std::string_view::npos;
  const double number = plain ? parse_double(digits).value_or(-1) : -1;
  const double unit = percent || number > 1 ? 100 : 1;
  check<UsageError>(number >= 0 && number <= unit,
                    "{} is no accuracy: accepted is a share such as 0.412 or a percentage such as "
                    "41.2%",
                    quote(text));
  const auto point = digits.find('.');
  const auto decimals =
      point == std::string_view::npos ? 0 : static_cast<double>(digits.size() - point - 1);
  return {.share = number / unit, .rounding = 0.5 * std::pow(10.0, -decimals) / unit};
}

void audit_numbers(const AuditSubject& s, AuditChecks& checks) {
  const auto add = [&](const char* name, AuditCheck (*check)(const AuditSubject&)) {
    checks.push_back(s.answers != nullptr
                         ? check(s)
                         : could_not_tell(name, "without the task's data there is nothing to ask"));
  };
  add("batch-mean arithmetic", batch_means);
  if (s.options.claim && s.answers != nullptr) checks.push_back(claim_check(s, *s.options.claim));
  add("size of the test", test_size);
  checks.push_back(plateau(s));
  checks.push_back(same_data(s));
}

}  // namespace heddle
