// Checks of what a run says: forced against decoded, constant answers, tokens that never come.
#include <algorithm>
#include <map>

#include "heddle/base/index.hpp"
#include "heddle/base/text.hpp"
#include "heddle/lens/audit/parts.hpp"

namespace heddle {
namespace {

constexpr double kNearlyAll = 0.99;
constexpr const char* kNoData = "without the task's data there is nothing to ask: {}";

/// The most frequent one.
std::pair<std::int32_t, std::int64_t> most_of(const Counts& counts) {
  const auto most = std::ranges::max_element(
      counts, [](const auto& a, const auto& b) { return a.second < b.second; });
  return {most->first, most->second};
}

double share(std::int64_t part, Index all) {
  return all > 0 ? static_cast<double>(part) / static_cast<double>(all) : 0;
}

/// The start of decoding is counted as the answer's first token (a defect).
bool start_counts(const AuditSubject& s) {
  return s.shape().start_counts();
}

std::string question_text(const AuditSubject& s, Index row) {
  return s.task().text(s.question(row).input);
}

/// What the forced pass says; a first token that it was given is put in brackets.
std::string forced_text(const AuditSubject& s, Index row) {
  const auto said = s.answers->forced_row(row);
  if (!start_counts(s)) return s.task().answer_text(said);
  std::string text = fmt::format("[{}]", s.token(s.asked.target_row(row)[0]));
  for (const std::int32_t token : said) text += s.token(token);
  return text;
}

/// Forced and decoded part at logits that are equal but for rounding.
bool only_a_tie(const AuditSubject& s, Index row) {
  if (start_counts(s)) return false;
  const Index length = s.answers->positions;
  for (Index t = 0; t < length; ++t) {
    const auto i = to_size(row * length + t);
    if (s.answers->forced[i] != s.answers->said[i]) return s.answers->tie[i] != 0;
  }
  return false;
}

AuditCheck forced_is_greedy(const AuditSubject& s) {
  AuditCheck check{.name = "forced = greedy"};
  const Index all = s.asked.size;
  Index differing = 0, ties = 0, first = -1, forced = 0;
  for (Index row = 0; row < all; ++row) {
    const auto i = to_size(row);
    forced += s.answers->forced_right[i];
    if (s.answers->forced_right[i] == s.answers->right[i]) continue;
    if (only_a_tie(s, row)) {
      ++ties;
      continue;
    }
    ++differing;
    if (first < 0) first = row;
  }
  check.evidence = {{"teacher-forced right", count_text(forced, all)},
                    {"greedy right", count_text(s.answers->count().correct, all)},
                    {"questions that only one gets right", format_count(differing)},
                    {"parted by rounding alone", format_count(ties)}};
  check.finding = fmt::format("they differ in {}", count_text(differing, all));
  if (differing == 0) return check;
  check.verdict = AuditCheck::kFail;
  check.evidence.push_back(
      {"first such question",
       fmt::format("{}: forced says {}, greedy says {}, right is {}", question_text(s, first),
                   forced_text(s, first), s.task().answer_text(s.answers->decoded_row(first)),
                   right_text(s.task(), s.question(first)))});
  check.meaning =
      "before the first mistake both read the same prefix, so they must agree question by question "
      "at any accuracy: this is a defect of training or decoding, not a cascade of mistakes";
  check.advice =
      "feed the same start token in training and in decoding, and let every token of the answer "
      "bear loss, before any accuracy, ablation or head of this run is believed";
  return check;
}

AuditCheck start_token(const AuditSubject& s) {
  AuditCheck check{.name = "start token"};
  const Index all = s.asked.size;
  Counts starts;
  for (Index row = 0; row < all; ++row) ++starts[s.asked.target_row(row)[0]];
  const std::int32_t start = s.asked.start;
  const std::int64_t same = starts.contains(start) ? starts[start] : 0;
  check.finding =
      fmt::format("decoding starts from {}, and so do {} of the rows that training would read",
                  s.token(start), count_text(same, all));
  for (const auto& [token, count] : starts)
    check.evidence.push_back(
        {fmt::format("rows that start from {}", s.token(token)), count_text(count, all)});
  if (same == all && !start_counts(s)) return check;
  check.verdict = AuditCheck::kFail;
  check.meaning =
      "the first token of the answer is given in training and never learned; in decoding the start "
      "token is counted as if the model had said it";
  check.advice = "start both from a token of its own (task.bos=token)";
  return check;
}

AuditCheck loss_covers(const AuditSubject& s) {
  AuditCheck check{.name = "loss covers the answer"};
  Counts uncovered;
  std::int64_t all = 0, bare = 0;
  for (Index row = 0; row < s.asked.size; ++row)
    for (Index t = 0; t < s.asked.positions(); ++t) {
      const std::int32_t wanted = s.asked.wanted_row(row)[to_size(t)];
      if (wanted == kNoTarget) continue;
      ++all;
      if (s.asked.targets(row)[t] != kNoTarget) continue;
      ++bare;
      ++uncovered[wanted];
    }
  if (start_counts(s)) {
    all += s.asked.size;
    bare += s.asked.size;
    check.evidence.push_back({"first tokens without loss", count_text(s.asked.size, s.asked.size)});
  }
  for (const auto& [token, count] : uncovered)
    check.evidence.push_back({fmt::format("{} without loss", s.token(token)), format_count(count)});
  check.finding = fmt::format("{} tokens of the answers bear no loss", count_text(bare, all));
  if (bare == 0) return check;
  check.verdict = AuditCheck::kFail;
  check.meaning = "what bears no loss is never learned, though it counts as part of the answer";
  check.advice =
      "let only padding go without loss, and give padding a token that no answer holds "
      "(task.pad=token, task.bos=token)";
  return check;
}

/// Whole answers, the same one for nearly all questions.
AuditCheck constant_predictor(const AuditSubject& s) {
  AuditCheck check{.name = "constant predictor"};
  std::map<std::vector<std::int32_t>, std::int64_t> said, wanted;
  const Index all = s.asked.size;
  for (Index row = 0; row < all; ++row) {
    const auto answer = s.answers->decoded_row(row), truth = s.asked.wanted_row(row);
    std::vector<std::int32_t> mine, right;
    for (std::size_t t = 0; t < truth.size(); ++t) {
      if (truth[t] == kNoTarget) continue;
      mine.push_back(answer[t]);
      right.push_back(truth[t]);
    }
    ++said[mine];
    ++wanted[right];
  }
  const auto by_count = [](const auto& a, const auto& b) { return a.second < b.second; };
  const auto most_said = std::ranges::max_element(said, by_count);
  const auto most_true = std::ranges::max_element(wanted, by_count);
  const std::string answer = s.task().answer_text(most_said->first);
  check.evidence = {{"most common answer", answer},
                    {"given to", count_text(most_said->second, all)},
                    {"most common right answer", s.task().answer_text(most_true->first)},
                    {"right for", count_text(most_true->second, all)}};
  check.finding = fmt::format("the most common answer, {}, is given to {}", quote(answer),
                              count_text(most_said->second, all));
  if (share(most_said->second, all) < kNearlyAll || share(most_true->second, all) >= kNearlyAll)
    return check;
  check.verdict = AuditCheck::kFail;
  check.meaning = "its accuracy is the share of that answer in the test set, and nothing more";
  check.advice =
      "do not read accuracies of this run as skill; try pre-norm, a warm-up or a smaller rate, and "
      "look at the loss beside the entropy of the labels";
  return check;
}

/// Of labels: more right answers than the best constant gives.
AuditCheck beats_a_constant(const AuditSubject& s) {
  AuditCheck check{.name = "better than a constant"};
  Counts truths;
  for (Index row = 0; row < s.asked.size; ++row) ++truths[s.asked.wanted_row(row)[0]];
  const auto [label, most] = most_of(truths);
  const Count right = s.answers->count();
  const Interval interval = wilson(right);
  const double best = share(most, s.asked.size);
  check.evidence = {{"right", count_text(right.correct, right.total)},
                    {"95 % interval",
                     fmt::format("{} to {}", share_text(interval.low), share_text(interval.high))},
                    {"always saying " + s.task().answer_text(std::span(&label, 1)),
                     count_text(most, right.total)}};
  check.finding = fmt::format("{} right, and the best constant answer {}",
                              share_text(right.share()), share_text(best));
  if (interval.low > best || best >= 1) return check;
  check.verdict = AuditCheck::kFail;
  check.meaning = "on this test set it cannot be told from a model that always says the same";
  check.advice = "train it until it leaves the plateau, before it is compared with anything";
  return check;
}

AuditCheck constant_first_token(const AuditSubject& s) {
  AuditCheck check{.name = "constant first token"};
  Counts said, truths;
  const Index all = s.asked.size;
  for (Index row = 0; row < all; ++row) {
    const bool given = start_counts(s);
    ++said[given ? s.asked.start : s.answers->decoded_row(row)[0]];
    ++truths[given ? s.asked.target_row(row)[0] : s.asked.wanted_row(row)[0]];
  }
  const auto [token, count] = most_of(said);
  const auto [truth, right] = most_of(truths);
  check.evidence = {{"answers that begin with " + s.token(token), count_text(count, all)},
                    {"right answers that begin with " + s.token(truth), count_text(right, all)}};
  check.finding = fmt::format("{} answers begin with {}", count_text(count, all), s.token(token));
  if (share(count, all) < kNearlyAll || share(right, all) >= kNearlyAll) return check;
  check.verdict = AuditCheck::kFail;
  check.meaning =
      "the first token says nothing about the question, so whole answers are right only where it "
      "happens to fit";
  check.advice = "check what decoding starts from and whether the first token bears loss";
  return check;
}

AuditCheck never_said(const AuditSubject& s) {
  constexpr std::int64_t kOften = 10;  // rarer tokens may be missed by chance
  AuditCheck check{.name = "tokens never said"};
  Counts said, needed;
  for (Index row = 0; row < s.asked.size; ++row)
    for (std::size_t t = 0; t < s.asked.wanted_row(row).size(); ++t) {
      if (s.asked.wanted_row(row)[t] == kNoTarget) continue;
      ++needed[s.asked.wanted_row(row)[t]];
      ++said[s.answers->decoded_row(row)[t]];
    }
  const auto name = [&](std::int32_t token) {
    return s.asked.labels ? s.task().answer_text(std::span(&token, 1)) : s.token(token);
  };
  std::vector<std::string> missing;
  for (const auto& [token, count] : needed) {
    if (said.contains(token) || count < kOften) continue;
    missing.push_back(name(token));
    check.evidence.push_back({fmt::format("{} is needed", name(token)),
                              fmt::format("{} times, said never", format_count(count))});
  }
  check.finding = fmt::format("{} of the {} that right answers need are never said", missing.size(),
                              needed.size());
  if (missing.empty()) return check;
  constexpr std::size_t kShown = 8;
  if (missing.size() > kShown) missing.resize(kShown);
  check.verdict = AuditCheck::kFail;
  check.finding += ": " + join(missing, ", ");
  check.meaning = "every question whose answer needs one of them is answered wrongly";
  check.advice =
      "check that these tokens bear loss (padding must not share their id) and occur in training";
  return check;
}

}  // namespace

void audit_answers(const AuditSubject& s, AuditChecks& checks) {
  const bool labels = s.asked.labels;
  const auto add = [&](const char* name, bool applies, AuditCheck (*check)(const AuditSubject&)) {
    if (!applies)
      checks.push_back(not_applicable(name, labels ? "a label is one answer: nothing is decoded"
                                                   : "the answers are sequences"));
    else if (s.answers == nullptr)
      checks.push_back(could_not_tell(name, fmt::format(kNoData, s.no_data)));
    else
      checks.push_back(check(s));
  };
  add("forced = greedy", !labels, forced_is_greedy);
  add("start token", !labels, start_token);
  add("loss covers the answer", !labels, loss_covers);
  add("constant predictor", true, constant_predictor);
  add("better than a constant", labels, beats_a_constant);
  add("constant first token", !labels, constant_first_token);
  add("tokens never said", true, never_said);
}

}  // namespace heddle
