// See examples.hpp.
#include "heddle/eval/examples.hpp"

#include <algorithm>
#include <map>

#include "heddle/kernels/loss.hpp"
#include "heddle/model/classifier/rows.hpp"
#include "heddle/model/seq2seq/greedy.hpp"

namespace heddle {
namespace {

constexpr Index kExampleBlock = 125;  // examples in one pass
constexpr Index kExampleRound = 16;   // blocks between two reports of progress
constexpr std::size_t kExampleMistakes = 10;

/// Counts that can be added up, before they become a score.
struct Tally {
  ExampleScore score;
  std::map<std::int64_t, Count> by_length;
  std::map<std::int32_t, std::int64_t> first_tokens;

  explicit Tally(const ExampleTask& task) {
    for (Index label = 0; label < task.shape().classes; ++label)
      score.by_label.push_back(
          {.label = task.label(static_cast<std::int32_t>(label)), .count = {}});
  }

  void add(const Tally& part) {
    ExampleScore& s = score;
    const ExampleScore& p = part.score;
    s.greedy += p.greedy;
    s.teacher_forced += p.teacher_forced;
    s.teacher_forced_tokens += p.teacher_forced_tokens;
    s.disagreements += p.disagreements;
    s.first_right += p.first_right;
    s.accuracy += p.accuracy;
    for (std::size_t i = 0; i < s.by_label.size(); ++i) {
      s.by_label[i].count += p.by_label[i].count;
      s.by_label[i].given += p.by_label[i].given;
    }
    s.loss += p.loss;
    for (const std::string& mistake : p.mistakes)
      if (s.mistakes.size() < kExampleMistakes) s.mistakes.push_back(mistake);
    for (const auto& [length, count] : part.by_length) by_length[length] += count;
    for (const auto& [token, count] : part.first_tokens) first_tokens[token] += count;
  }

  ExampleScore finish() {
    for (const auto& [length, count] : by_length) score.by_length.push_back({length, count});
    for (const auto& [token, count] : first_tokens)
      score.common_first = std::max(score.common_first, count);
    const std::int64_t asked =
        score.labels() ? score.accuracy.total : score.teacher_forced_tokens.total;
    if (asked > 0) score.loss /= static_cast<double>(asked);
    return std::move(score);
  }
};

/// One block of examples through the model, and what came out of it.
class ExampleBlockScorer {
 public:
  ExampleBlockScorer(const ExampleExam& exam, const ExampleList& list, Index first, Index count)
      : exam_(exam),
        list_(list),
        first_(first),
        count_(count),
        run_(exam.weights, exam.edits),
        tally_(exam.task) {}

  Tally score() {
    exam_.config.classifies() ? score_labels() : score_pairs();
    return std::move(tally_);
  }

 private:
  /// The loss and the largest logit of every row.
  void read(const Tensor& logits, const std::int32_t* targets) {
    const auto rows = logits.rows<float>();
    best_.resize(static_cast<std::size_t>(rows.shape[0]));
    losses_.resize(best_.size());
    kernels::argmax(rows, best_.data());
    kernels::cross_entropy(
        kernels::CrossEntropy<float>{.logits = rows, .targets = targets, .loss = losses_.data()});
    for (const float loss : losses_) tally_.score.loss += static_cast<double>(loss);
  }

  void score_labels() {
    LabelledBatch batch;
    encode_labels(list_, first_, count_, layout_of(exam_.config.model), exam_.task.shape(), batch);
    ClassifierRows beside;
    beside.fill(batch, exam_.config.model,
                {.seed = exam_.config.seed, .first = static_cast<std::uint64_t>(first_)});
    read(exam_.model.forward(run_, beside.part(batch, 0, count_)).value, batch.labels.data());
    for (Index i = 0; i < count_; ++i) {
      const ExampleView example = list_[first_ + i];
      const std::int32_t given = best_[static_cast<std::size_t>(i)];
      const bool right = given == example.label();
      tally_.score.accuracy.add(right);
      tally_.score.by_label[static_cast<std::size_t>(example.label())].count.add(right);
      ++tally_.score.by_label[static_cast<std::size_t>(given)].given;
      conclude(example, right, exam_.task.label(given), exam_.task.label(example.label()));
    }
  }

  void score_pairs() {
    const auto& model = dynamic_cast<const Seq2Seq&>(exam_.model);
    Batch batch;
    encode_pairs(list_, first_, count_, exam_.task.shape(), batch);
    const Tokens source{.ids = batch.source.data(),
                        .batch = count_,
                        .length = batch.source_length,
                        .valid = batch.source_valid.empty() ? nullptr : batch.source_valid.data()};
    const Tokens target{
        .ids = batch.target_in.data(), .batch = count_, .length = batch.target_length};
    Activations at;
    model.encode(run_, source, at);
    model.decode(run_, source, target, at);
    read(at.logits.value, batch.target_out.data());
    std::vector<std::int32_t> said(best_.size());
    greedy_decode(model, run_,
                  {.source = source,
                   .memory = at.memory,
                   .start = exam_.task.shape().bos(),
                   .length = batch.target_length,
                   .tokens = said});
    for (Index i = 0; i < count_; ++i) {
      const auto length = static_cast<std::size_t>(batch.target_length),
                 from = static_cast<std::size_t>(i) * length;
      judge_pair(list_[first_ + i], batch.target_out_row(i), std::span(best_).subspan(from, length),
                 std::span(said).subspan(from, length));
    }
  }

  /// An output and its EOS must be right; what is said after it does not count.
  void judge_pair(const ExampleView& example, std::span<const std::int32_t> wanted,
                  std::span<const std::int32_t> forced, std::span<const std::int32_t> said) {
    bool forced_right = true, right = true;
    for (std::size_t t = 0; t < wanted.size() && wanted[t] != kNoTarget; ++t) {
      tally_.score.teacher_forced_tokens.add(forced[t] == wanted[t]);
      forced_right = forced_right && forced[t] == wanted[t];
      right = right && said[t] == wanted[t];
    }
    tally_.score.teacher_forced.add(forced_right);
    tally_.score.greedy.add(right);
    tally_.score.disagreements += right != forced_right ? 1 : 0;
    tally_.score.first_right.add(said[0] == wanted[0]);
    ++tally_.first_tokens[said[0]];
    conclude(example, right, exam_.task.text(said), exam_.task.text(example.output));
  }

  void conclude(const ExampleView& example, bool right, const std::string& said,
                const std::string& wanted) {
    tally_.by_length[std::ssize(example.input)].add(right);
    if (!right && tally_.score.mistakes.size() < kExampleMistakes)
      tally_.score.mistakes.push_back(
          fmt::format("{} → {}, not {}", exam_.task.text(example.input), said, wanted));
  }

  const ExampleExam& exam_;
  const ExampleList& list_;
  Index first_, count_;
  Run run_;
  Tally tally_;
  std::vector<std::int32_t> best_;
  std::vector<float> losses_;
};

}  // namespace

ExampleScore score_examples(const ExampleExam& exam, std::string set, const ExampleList& list) {
  Tally all(exam.task);
  const Index total = list.size(), blocks = (total + kExampleBlock - 1) / kExampleBlock;
  for (Index done = 0; done < blocks; done += kExampleRound) {
    const auto pieces = static_cast<int>(std::min(kExampleRound, blocks - done));
    std::vector<Tally> parts(static_cast<std::size_t>(pieces), Tally(exam.task));
    exam.team.run(pieces, [&](int piece) {
      const Index first = (done + piece) * kExampleBlock;
      parts[static_cast<std::size_t>(piece)] =
          ExampleBlockScorer(exam, list, first, std::min(kExampleBlock, total - first)).score();
    });
    for (const Tally& part : parts) all.add(part);
    if (exam.progress) exam.progress(std::min((done + pieces) * kExampleBlock, total), total);
  }
  ExampleScore score = all.finish();
  score.set = std::move(set);
  return score;
}

}  // namespace heddle
