// See score.hpp.
#include "heddle/eval/score.hpp"

#include <cmath>
#include <map>

#include "heddle/base/index.hpp"
#include "heddle/kernels/loss.hpp"

namespace heddle {
namespace {

constexpr std::size_t kMostMistakes = 10;

double softplus(double x) {
  return std::max(x, 0.0) + std::log1p(std::exp(-std::abs(x)));
}

/// Counts of one or more blocks, before they become a score.
struct Tally {
  Score score;
  std::vector<std::map<Index, Count>> facets;
  std::map<std::int32_t, std::int64_t> first_words;
  std::vector<double> losses;  ///< sums over the loss blocks, in order

  void add(const Tally& part) {
    Score& s = score;
    const Score& p = part.score;
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
    for (std::size_t i = 0; i < facets.size(); ++i)
      for (const auto& [value, count] : part.facets[i]) facets[i][value] += count;
    for (const auto& [word, count] : part.first_words) first_words[word] += count;
    for (const double loss : part.losses) s.loss += loss;
    for (const std::string& mistake : p.mistakes)
      if (s.mistakes.size() < kMostMistakes) s.mistakes.push_back(mistake);
  }
};

Tally empty_tally(const Task& task, const Facets& facets) {
  Tally tally;
  for (std::int32_t label = 0; label < task.shape().classes; ++label)
    tally.score.by_label.push_back({.label = task.label(label)});
  tally.facets.resize(facets.list().size());
  return tally;
}

/// One block of questions through the model, and what came out of it.
class BlockScorer {
 public:
  BlockScorer(const ExamSetup& setup, const Task& task, const Facets& facets)
      : taker_(setup),
        task_(task),
        facets_(facets),
        run_(setup.weights, setup.edits),
        values_(facets.list().size()),
        tally_(empty_tally(task, facets)) {}

  Tally score(const Exam& exam, Index first, Index count, Index pass) {
    exam.block(first, count, questions_);
    taker_.model.encode_questions(questions_, 0, count,
                                  {.seed = taker_.seed,
                                   .purpose = Purpose::evaluation,
                                   .first = static_cast<std::uint64_t>(first)},
                                  encoded_);
    const auto answers = to_size(count * encoded_.positions());
    forced_.resize(answers);
    said_.resize(answers);
    losses_.resize(answers);
    for (Index row = 0; row < count; row += pass) answer(row, std::min(pass, count - row));
    add_losses();
    for (Index row = 0; row < count; ++row)
      encoded_.labels ? judge_label(row) : judge_sequence(row);
    return std::move(tally_);
  }

 private:
  std::span<const std::int32_t> row_of(const std::vector<std::int32_t>& all, Index row) const {
    return std::span(all).subspan(to_size(row * encoded_.positions()),
                                  to_size(encoded_.positions()));
  }

  /// With the true prefix (forced) and with the model's own (greedy), from one encoding.
  void answer(Index first, Index count) {
    const Index from = first * encoded_.positions(), answers = count * encoded_.positions();
    const ModelInput input = encoded_.part(first, count);
    Activations activations;
    taker_.model.forward(run_, input, activations);
    const auto logits = activations.logits.value.rows<float>();
    kernels::argmax(logits, forced_.data() + from);
    take_losses(logits, first, count);
    taker_.model.answer(run_, input, activations,
                        std::span(said_).subspan(to_size(from), to_size(answers)));
  }

  void take_losses(Matrix<const float> logits, Index first, Index count) {
    const Index from = first * encoded_.positions(), answers = count * encoded_.positions();
    if (task_.traits().passes.margin_loss) {
      for (Index i = 0; i < count; ++i) {
        const float* row = logits.data + 2 * i;
        const double margin = static_cast<double>(row[1]) - static_cast<double>(row[0]);
        losses_[to_size(from + i)] =
            softplus(encoded_.wanted[to_size(from + i)] == 1 ? -margin : margin);
      }
      return;
    }
    std::vector<float> losses(to_size(answers));
    kernels::cross_entropy(kernels::CrossEntropy<float>{
        .logits = logits, .targets = encoded_.targets(first), .loss = losses.data()});
    for (Index i = 0; i < answers; ++i)
      losses_[to_size(from + i)] = static_cast<double>(losses[to_size(i)]);
  }

  void add_losses() {
    const auto block = to_size(task_.traits().passes.loss_block * encoded_.positions());
    for (std::size_t i = 0; i < losses_.size(); ++i) {
      if (i % block == 0) tally_.losses.push_back(0);
      tally_.losses.back() += losses_[i];
    }
  }

  void judge_label(Index row) {
    const std::int32_t given = said_[to_size(row)], wanted = encoded_.wanted[to_size(row)];
    tally_.score.accuracy.add(given == wanted);
    tally_.score.by_label[to_size(wanted)].count.add(given == wanted);
    ++tally_.score.by_label[to_size(given)].given;
    conclude(row, given == wanted);
  }

  /// An answer and its EOS must be right; what is said after it does not count.
  void judge_sequence(Index row) {
    const auto forced = row_of(forced_, row), said = row_of(said_, row);
    const std::int32_t* targets = encoded_.targets(row);
    bool forced_right = true;
    for (std::size_t t = 0; t < forced.size(); ++t) {
      if (targets[t] == kNoTarget) continue;
      tally_.score.teacher_forced_tokens.add(forced[t] == targets[t]);
      forced_right = forced_right && forced[t] == targets[t];
    }
    const bool right = encoded_.right(row, said), counts = task_.shape().start_counts();
    tally_.score.teacher_forced.add(forced_right);
    tally_.score.greedy.add(right);
    tally_.score.disagreements += right != forced_right ? 1 : 0;
    ++tally_.first_words[counts ? encoded_.start : said[0]];
    tally_.score.first_right.add(counts ? !encoded_.cannot_be_right(row)
                                        : said[0] == encoded_.wanted_row(row)[0]);
    for (std::size_t facet = 0; facet < facets_.list().size(); ++facet)
      if (facets_.list()[facet].of_words) judge_words(row, said, tally_.facets[facet]);
    conclude(row, right);
  }

  /// Each word of the answer by the column of its digit; the start token where that counts, too.
  void judge_words(Index row, std::span<const std::int32_t> said,
                   std::map<Index, Count>& counts) const {
    const auto wanted = encoded_.wanted_row(row);
    const TaskShape& shape = task_.shape();
    if (shape.start_counts()) counts[shape.decoded_column(-1)].add(!encoded_.cannot_be_right(row));
    for (std::size_t i = 0; i < said.size(); ++i)
      if (const Index column = shape.decoded_column(static_cast<Index>(i)); column >= 0)
        counts[column].add(said[i] == wanted[i]);
  }

  void conclude(Index row, bool right) {
    const Question question = questions_[row];
    facets_.values(question, values_);
    for (std::size_t facet = 0; facet < values_.size(); ++facet)
      if (values_[facet] >= 0) tally_.facets[facet][values_[facet]].add(right);
    if (!right && tally_.score.mistakes.size() < kMostMistakes)
      tally_.score.mistakes.push_back(task_.mistake_text(question, row_of(said_, row)));
  }

  const ExamSetup& taker_;
  const Task& task_;
  const Facets& facets_;
  Run run_;
  Questions questions_;
  EncodedQuestions encoded_;
  std::vector<std::int32_t> forced_, said_;
  std::vector<double> losses_;
  std::vector<Index> values_;
  Tally tally_;
};

FacetScore facet_score(const Facet& facet, const std::map<Index, Count>& found) {
  FacetScore score{.key = facet.key,
                   .name = facet.name,
                   .unit = facet.unit,
                   .row_key = facet.row_key,
                   .single = !facet.value_keys.empty(),
                   .known = facet.known};
  std::map<Index, Count> all = found;
  for (std::size_t i = 0; i < facet.values.size(); ++i) all[static_cast<Index>(i)];
  for (const auto& [value, count] : all) {
    const auto number = to_size(value);
    const std::string name = facet.values.empty() ? std::to_string(value) : facet.values[number];
    score.rows.push_back(
        {.value = name,
         .text = facet.texts.empty() ? fmt::format("{} {}", facet.unit, name) : facet.texts[number],
         .key = score.single ? facet.value_keys[number] : "",
         .count = count});
  }
  return score;
}

Score finish(Tally tally, const Task& task, const Facets& facets) {
  Score score = std::move(tally.score);
  for (const auto& [word, count] : tally.first_words) {
    if (count <= score.common_first) continue;
    score.common_first = count;
    score.common_first_word = task.token(word);
  }
  for (std::size_t i = 0; i < tally.facets.size(); ++i)
    score.facets.push_back(facet_score(facets.list()[i], tally.facets[i]));
  const std::int64_t asked =
      score.labels() ? score.accuracy.total : score.teacher_forced_tokens.total;
  if (asked > 0) score.loss /= static_cast<double>(asked);
  return score;
}

}  // namespace

Score score_exam(const ExamSetup& setup, const Task& task, std::string set, const Exam& exam,
                 const Facets* facets) {
  const std::unique_ptr<Facets> own = facets == nullptr ? task.facets() : nullptr;
  const Facets& by = facets == nullptr ? *own : *facets;
  const ExamPasses& passes = task.traits().passes;
  const Index pass =
      passes.tokens > 0
          ? std::max<Index>(1, passes.tokens / std::max<Index>(1, exam.longest_input()))
          : passes.questions;
  Tally all = empty_tally(task, by);
  run_blocks<Tally>(
      setup, exam.size(), std::max(pass, passes.loss_block),
      [&](Index first, Index count) {
        return BlockScorer(setup, task, by).score(exam, first, count, pass);
      },
      [&](const Tally& part) { all.add(part); });
  Score score = finish(std::move(all), task, by);
  score.set = std::move(set);
  return score;
}

Score score_questions(const ExamSetup& setup, const Task& task, std::string set,
                      const Questions& questions) {
  return score_exam(setup, task, std::move(set), *exam_of(questions));
}

}  // namespace heddle
