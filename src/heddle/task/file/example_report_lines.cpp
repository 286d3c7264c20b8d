// The report on a file's examples in words; see example_report.hpp.
#include <algorithm>
#include <numeric>

#include "heddle/base/check.hpp"
#include "heddle/base/decimal.hpp"
#include "heddle/base/text.hpp"
#include "heddle/task/file/example_limits.hpp"
#include "heddle/task/file/example_report.hpp"

namespace heddle {
namespace {

constexpr std::size_t kLabelsShown = 8;

/// "1 label", "1,200 labels".
std::string counted(Index count, std::string_view one) {
  return fmt::format("{} {}{}", format_count(count), one, count == 1 ? "" : "s");
}

std::string percent(double share) {
  return format_percent(share, 1);
}

std::string size_line(const ExampleReport& report) {
  std::string line = fmt::format("{}, {}, {}", counted(report.examples, "example"),
                                 counted(report.inputs, "different input"),
                                 counted(report.tokens, "different token"));
  if (report.form == ExampleForm::labels)
    line += ", " + counted(std::ssize(report.labels), "label");
  return line;
}

std::string split_line(const ExampleReport& report) {
  const auto& sizes = report.split_sizes;
  return fmt::format("train {}, validation {}, test {}: {}", format_count(sizes[0]),
                     format_count(sizes[1]), format_count(sizes[2]),
                     report.own_splits
                         ? "as the file says"
                         : "by a hash of the input, so that equal inputs stay together");
}

std::string length_text(std::string_view name, const Lengths& lengths) {
  return fmt::format("{} of {} to {} tokens (median {})", name, format_count(lengths.shortest),
                     format_count(lengths.longest), format_count(lengths.median));
}

std::string length_line(const ExampleReport& report) {
  std::string inputs = length_text("inputs", report.input_lengths);
  if (report.form == ExampleForm::labels) return inputs;
  return inputs + ", " + length_text("outputs", report.output_lengths);
}

/// The commonest labels of training first, equals by id.
std::string balance_line(const ExampleReport& report) {
  std::vector<std::size_t> order(report.labels.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) {
    return report.label_counts[a][0] > report.label_counts[b][0];
  });
  std::string line = "labels in training:";
  for (std::size_t k = 0; k < std::min(order.size(), kLabelsShown); ++k)
    line += fmt::format("{} {} {}", k > 0 ? "," : "", quote(report.labels[order[k]], kShown),
                        percent(static_cast<double>(report.label_counts[order[k]][0]) /
                                static_cast<double>(report.split_sizes[0])));
  if (order.size() > kLabelsShown)
    line +=
        fmt::format(" and {} more", format_count(static_cast<Index>(order.size() - kLabelsShown)));
  return line;
}

std::string majority_line(const ExampleReport& report) {
  std::string line = fmt::format("always {} {} would be right in {} of training",
                                 report.form == ExampleForm::pairs ? "beginning with" : "answering",
                                 quote(report.majority, kShown), percent(report.majority_share[0]));
  const auto names = names_of(Split{});
  for (std::size_t split = 1; split < kSplits; ++split)
    if (report.split_sizes[split] > 0)
      line += fmt::format(", {} of {}", percent(report.majority_share[split]), names[split]);
  return line;
}

std::string such_as(const Occurrences& occurrences) {
  return fmt::format("such as lines {} and {}", occurrences.first_line, occurrences.second_line);
}

void add_warnings(const ExampleReport& report, std::vector<std::string>& lines) {
  if (report.duplicates.count > 0)
    lines.push_back(fmt::format("{} the same as an earlier one, {}",
                                counted(report.duplicates.count, "example") +
                                    (report.duplicates.count == 1 ? " is" : " are"),
                                such_as(report.duplicates)));
  if (report.contradictions.count > 0)
    lines.push_back(fmt::format("{} with more than one answer, {}: at most one can be right",
                                counted(report.contradictions.count, "input"),
                                such_as(report.contradictions)));
  if (report.leaks.count > 0)
    lines.push_back(
        fmt::format("LEAK: {} in more than one split, {}; training has the inputs of {} of {} "
                    "validation and {} "
                    "of {} test examples",
                    counted(report.leaks.count, "input"), such_as(report.leaks),
                    format_count(report.leaked_examples[1]), format_count(report.split_sizes[1]),
                    format_count(report.leaked_examples[2]), format_count(report.split_sizes[2])));
  if (report.moved_to_training > 0)
    lines.push_back(
        fmt::format("{} could not be held out: nothing else has one of the tokens, or "
                    "the label",
                    counted(report.moved_to_training, "example")));
}

}  // namespace

std::vector<std::string> report_lines(const ExampleReport& report) {
  std::vector<std::string> lines{size_line(report), split_line(report), length_line(report)};
  if (report.form == ExampleForm::labels) lines.push_back(balance_line(report));
  lines.push_back(majority_line(report));
  add_warnings(report, lines);
  lines.push_back("hash " + report.hash);
  return lines;
}

}  // namespace heddle
