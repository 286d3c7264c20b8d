// See addition.hpp.
#include "heddle/eval/addition.hpp"

#include <algorithm>
#include <cmath>

#include "heddle/kernels/loss.hpp"
#include "heddle/model/seq2seq/greedy.hpp"
#include "heddle/task/addition/carries.hpp"
#include "heddle/task/addition/encoding.hpp"

namespace heddle {
namespace {

constexpr Index kBlock = 250;  // problems whose losses are added up in one go
constexpr Index kPass = 125;   // problems in one pass: activations stay in the cache
constexpr Index kRound = 16;   // blocks between two reports of progress
constexpr std::size_t kMistakes = 10;

AdditionScore empty_score(int digits) {
  AdditionScore score;
  score.by_carries.resize(static_cast<std::size_t>(digits) + 1);
  score.by_cascade.resize(static_cast<std::size_t>(std::max(digits, 1)));
  score.by_digit.resize(static_cast<std::size_t>(digits) + 1);
  score.first_tokens.resize(kVocabulary);
  return score;
}

void merge(AdditionScore& into, const AdditionScore& part) {
  const auto each = [](std::vector<Count>& a, const std::vector<Count>& b) {
    for (std::size_t i = 0; i < a.size(); ++i) a[i] += b[i];
  };
  into.greedy += part.greedy;
  into.teacher_forced += part.teacher_forced;
  into.teacher_forced_tokens += part.teacher_forced_tokens;
  into.disagreements += part.disagreements;
  each(into.by_carries, part.by_carries);
  each(into.by_cascade, part.by_cascade);
  each(into.by_digit, part.by_digit);
  into.top_carry += part.top_carry;
  into.seen += part.seen;
  into.unseen += part.unseen;
  into.loss += part.loss;
  for (std::size_t i = 0; i < into.first_tokens.size(); ++i)
    into.first_tokens[i] += part.first_tokens[i];
  for (const std::string& mistake : part.mistakes)
    if (into.mistakes.size() < kMistakes) into.mistakes.push_back(mistake);
}

/// One block of problems through the model, and what came out of it.
class BlockScorer {
 public:
  explicit BlockScorer(const AdditionExam& exam) : exam_(exam), encoding_(exam.config.task) {}

  AdditionScore score(std::span<const Problem> problems) {
    encoding_.encode(problems, batch_);
    answer();
    AdditionScore score = empty_score(encoding_.digits());
    score.loss = loss_sum_;
    for (Index i = 0; i < batch_.size; ++i) judge(problems[static_cast<std::size_t>(i)], i, score);
    return score;
  }

 private:
  void answer() {
    const auto rows = static_cast<std::size_t>(batch_.size * batch_.target_length);
    forced_.resize(rows);
    losses_.resize(rows);
    greedy_.resize(rows);
    Run run(exam_.weights, exam_.edits);
    for (Index first = 0; first < batch_.size; first += kPass)
      answer_some(run, first, std::min(kPass, batch_.size - first));
    loss_sum_ = 0;
    for (const float loss : losses_) loss_sum_ += static_cast<double>(loss);
  }

  /// Encodes once; then decodes with the true prefix (forced) and with the model's own (greedy).
  void answer_some(Run& run, Index first, Index count) {
    const Index row = first * batch_.target_length, rows = count * batch_.target_length;
    const Tokens source{.ids = batch_.source.data() + first * batch_.source_length,
                        .batch = count,
                        .length = batch_.source_length};
    const Tokens target{
        .ids = batch_.target_in.data() + row, .batch = count, .length = batch_.target_length};
    Activations at;
    exam_.model.encode(run, source, at);
    exam_.model.decode(run, source, target, at);
    const auto logits = at.logits.value.rows<float>();
    kernels::argmax(logits, forced_.data() + row);
    kernels::cross_entropy(kernels::CrossEntropy<float>{
        .logits = logits, .targets = batch_.target_out.data() + row, .loss = losses_.data() + row});
    greedy_decode(exam_.model, run,
                  {.source = source,
                   .memory = at.memory,
                   .start = encoding_.start_token(),
                   .length = batch_.target_length,
                   .tokens = std::span(greedy_).subspan(static_cast<std::size_t>(row),
                                                        static_cast<std::size_t>(rows))});
  }

  void judge(const Problem& problem, Index row, AdditionScore& score) const {
    const auto length = static_cast<std::size_t>(batch_.target_length);
    const std::size_t first = static_cast<std::size_t>(row) * length;
    const std::span<const std::int32_t> said(greedy_.data() + first, length);
    bool forced_right = true;
    for (std::size_t t = 0; t < length; ++t) {
      const std::int32_t wanted = batch_.target_out[first + t];
      if (wanted == kNoTarget) continue;
      score.teacher_forced_tokens.add(forced_[first + t] == wanted);
      forced_right = forced_right && forced_[first + t] == wanted;
    }
    const bool right = encoding_.correct(problem, said);
    score.teacher_forced.add(forced_right);
    score.greedy.add(right);
    score.disagreements += right != forced_right ? 1 : 0;
    const Carries carries = carries_of(problem);
    score.by_carries[static_cast<std::size_t>(carries.count)].add(right);
    score.by_cascade[static_cast<std::size_t>(carries.cascade)].add(right);
    if (carries.top) score.top_carry.add(right);
    if (exam_.seen != nullptr)
      (exam_.seen->contains(problem) ? score.seen : score.unseen).add(right);
    judge_digits(problem, said, score);
    if (!right && score.mistakes.size() < kMistakes)
      score.mistakes.push_back(
          fmt::format("{}={}", problem_text(problem), encoding_.answer_text(said)));
  }

  void judge_digits(const Problem& problem, std::span<const std::int32_t> said,
                    AdditionScore& score) const {
    const SumDigits sum = sum_of(problem);
    const std::int32_t start = encoding_.start_token();
    const Index shift = encoding_.start_counts() ? 1 : 0;
    ++score.first_tokens[static_cast<std::size_t>(shift == 1 ? start : said[0])];
    for (Index place = 0; place < encoding_.sum_length(); ++place) {
      const std::int32_t digit =
          place < shift ? start : said[static_cast<std::size_t>(place - shift)];
      const auto column = static_cast<std::size_t>(encoding_.column_of(place - shift));
      score.by_digit[column].add(digit == static_cast<std::int32_t>(sum[column]));
    }
  }

  const AdditionExam& exam_;
  AdditionEncoding encoding_;
  Batch batch_;
  std::vector<std::int32_t> forced_, greedy_;
  std::vector<float> losses_;
  double loss_sum_ = 0;
};

/// Scores `total` problems in blocks over the team. Sums are taken block by block in order, so that
/// the loss has the same bits for any number of threads.
template <class Block>
AdditionScore score_blocks(const AdditionExam& exam, std::string set, Index total, Block block) {
  AdditionScore score = empty_score(static_cast<int>(exam.config.task.digits));
  score.set = std::move(set);
  const Index blocks = (total + kBlock - 1) / kBlock;
  for (Index first = 0; first < blocks; first += kRound) {
    const auto pieces = static_cast<int>(std::min(kRound, blocks - first));
    std::vector<AdditionScore> parts(static_cast<std::size_t>(pieces));
    exam.team.run(pieces, [&](int piece) {
      const Index start = (first + piece) * kBlock;
      std::vector<Problem> problems;
      block(start, std::min(kBlock, total - start), problems);
      parts[static_cast<std::size_t>(piece)] = BlockScorer(exam).score(problems);
    });
    for (const AdditionScore& part : parts) merge(score, part);
    if (exam.progress) exam.progress(std::min((first + pieces) * kBlock, total), total);
  }
  if (score.teacher_forced_tokens.total > 0)
    score.loss /= static_cast<double>(score.teacher_forced_tokens.total);
  return score;
}

}  // namespace

AdditionScore score_problems(const AdditionExam& exam, std::string set,
                             std::span<const Problem> problems) {
  return score_blocks(exam, std::move(set), static_cast<Index>(problems.size()),
                      [&](Index start, Index count, std::vector<Problem>& out) {
                        const auto part = problems.subspan(static_cast<std::size_t>(start),
                                                           static_cast<std::size_t>(count));
                        out.assign(part.begin(), part.end());
                      });
}

AdditionScore score_census(const AdditionExam& exam) {
  const Census census(static_cast<int>(exam.config.task.digits));
  return score_blocks(exam, "census", census.size(),
                      [&](Index start, Index count, std::vector<Problem>& out) {
                        census.block(start, count, out);
                      });
}

}  // namespace heddle
