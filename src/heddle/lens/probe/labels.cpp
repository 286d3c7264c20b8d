// See labels.hpp.
#include "heddle/lens/probe/labels.hpp"

#include <algorithm>

#include "heddle/base/hash.hpp"
#include "heddle/base/index.hpp"
#include "heddle/base/rng.hpp"
#include "heddle/lens/places.hpp"
#include "heddle/lens/probe/column_file.hpp"
#include "heddle/lens/probe/label_folds.hpp"
#include "heddle/task/file/text_lines.hpp"

namespace heddle {
namespace {

constexpr std::size_t kMostLabelNumbers = std::size_t{1} << 25U;  // of activations held at once
constexpr std::size_t kShuffles = 5;
constexpr std::size_t kMostLabels = 1000;

/// Inputs as the model reads them; what is wrong with one is wrong with its line.
EncodedQuestions rows_of(const Member& member, const Task& task, const LabelledInputs& labelled) {
  const bool needs_answer = !task.shape().labels;
  std::vector<std::string> texts, answers;
  for (const LabelledInput& one : labelled.inputs) {
    try {
      (void)task.parse(one.input);
      const bool known = !one.answer.empty() || knows_answer(task, one.input);
      check<UsageError>(!needs_answer || known,
                        "the answer to {}, which the decoder reads, is not known; a column "
                        "'answer' tells it",
                        quote(one.input));
      if (needs_answer) (void)typed_questions(task, {one.input}, {one.answer});
    } catch (const UsageError& error) {
      refuse_line(labelled.path, one.line, "{}", error.what());
    }
    texts.push_back(one.input);
    answers.push_back(one.answer);
  }
  return encoded(
      member, needs_answer ? typed_questions(task, texts, answers) : asked_questions(task, texts));
}

LabelFolds folds_of(const LabelledInputs& labelled, const EncodedQuestions& set) {
  std::vector<std::string> labels;
  std::vector<std::uint64_t> hashes;
  for (Index i = 0; i < set.size; ++i) {
    labels.push_back(labelled.inputs[to_size(i)].label);
    Hash hash;
    for (const std::int32_t token : set.source_row(i).first(to_size(set.used(Stream::source, i))))
      hash.add(static_cast<std::uint64_t>(token));
    hashes.push_back(hash.value());
  }
  const LabelFolds folds = make_folds(labels, hashes);
  check<FileError>(folds.names.size() >= 2 && folds.names.size() <= kMostLabels,
                   "{} has {} different label{}; accepted is 2 to {}", quote_path(labelled.path),
                   folds.names.size(), folds.names.size() == 1 ? "" : "s", kMostLabels);
  return folds;
}

/// The same labels in a random order, several times.
std::vector<std::vector<std::size_t>> shuffled(const LabelFolds& folds, std::uint64_t seed) {
  std::vector<std::vector<std::size_t>> all;
  for (std::size_t i = 0; i < kShuffles; ++i) {
    const Permutation order(Rng(seed, "probe_labels.shuffle", i), folds.size());
    all.emplace_back();
    for (std::size_t k = 0; k < folds.size(); ++k)
      all.back().push_back(folds.label[to_size(order(k))]);
  }
  return all;
}

class LabelProber {
 public:
  LabelProber(const Member& member, const Task& task, const LabelledInputs& labelled, Team& team)
      : member_(member),
        task_(task),
        set_(rows_of(member, task, labelled)),
        folds_(folds_of(labelled, set_)),
        shuffled_(shuffled(folds_, member.config.seed)),
        team_(team) {
    std::vector<double> counts(folds_.names.size());
    for (const std::size_t label : folds_.label) counts[label] += 1;
    majority_ = std::ranges::max(counts) / static_cast<double>(folds_.size());
    for (std::size_t i = 0; i < counts.size(); ++i)
      shares_.push_back({folds_.names[i], static_cast<std::int64_t>(counts[i])});
  }

  /// Each position that all inputs have, and −1 for the mean.
  std::vector<Place> places(TapId tap) const {
    const Stream stream = stream_at(member_, tap);
    Index positions = positions_at(member_, set_, tap);
    for (Index i = 0; i < set_.size; ++i) positions = std::min(positions, set_.used(stream, i));
    std::vector<Place> places;
    for (Index position = 0; position < positions; ++position)
      places.push_back(
          {.name = member_.model->taps()[tap].path, .tap = tap, .head = -1, .position = position});
    places.push_back({.name = member_.model->taps()[tap].path, .tap = tap});
    return places;
  }

  /// As many places of one tap at once as memory allows.
  std::size_t at_once(TapId tap) const {
    const auto width = to_size(member_.model->taps()[tap].shape[-1]);
    return std::max<std::size_t>(1, kMostLabelNumbers / (folds_.size() * width));
  }

  std::vector<LabelProbe> probe(std::span<const Place> places) const {
    const TapId tap = places[0].tap;
    const auto width = to_size(member_.model->taps()[tap].shape[-1]);
    const std::vector<float> numbers = features(places, width);
    std::vector<LabelProbe> probes(places.size());
    team_.run(static_cast<int>(places.size()), [&](int piece) {
      const auto p = to_size(piece);
      std::vector<const float*> rows;
      for (std::size_t i = 0; i < folds_.size(); ++i)
        rows.push_back(numbers.data() + (p * folds_.size() + i) * width);
      probes[p] = probe_place(places[p], width, std::move(rows));
    });
    return probes;
  }

  LabelProbing blank() const {
    return {.inputs = static_cast<std::int64_t>(folds_.size()),
            .folds = static_cast<std::int64_t>(kFolds),
            .chance = 1 / static_cast<double>(folds_.names.size()),
            .labels = shares_,
            .probes = {}};
  }

 private:
  /// [place, input, feature].
  std::vector<float> features(std::span<const Place> places, std::size_t width) const {
    std::vector<float> numbers(places.size() * folds_.size() * width);
    const TapId tap = places[0].tap;
    const Stream stream = stream_at(member_, tap);
    watch_taps(
        member_, set_, std::span(&tap, 1), team_,
        [&](TapId, const ProblemBlock& block, const Tensor& x) {
          for (Index i = 0; i < block.count; ++i) {
            const Index input = block.first + i, used = set_.used(stream, input);
            const float* from = x.data<float>() + i * x.dim(1) * x.dim(2);
            for (std::size_t p = 0; p < places.size(); ++p)
              copy(places[p], from, used,
                   std::span(numbers).subspan((p * folds_.size() + to_size(input)) * width, width));
          }
        });
    return numbers;
  }
  /// What stands at a place, of one input's [position, feature].
  static void copy(const Place& place, const float* from, Index used, std::span<float> to) {
    const Index width = std::ssize(to);
    if (place.position >= 0) {
      std::copy_n(from + place.position * width, width, to.begin());
      return;
    }
    for (Index j = 0; j < width; ++j) {
      double sum = 0;
      for (Index position = 0; position < used; ++position)
        sum += static_cast<double>(from[position * width + j]);
      to[to_size(j)] = static_cast<float>(sum / static_cast<double>(used));
    }
  }

  LabelProbe probe_place(const Place& place, std::size_t width,
                         std::vector<const float*> rows) const {
    const std::size_t labels = folds_.names.size();
    const FoldProber prober(folds_, width, std::move(rows));
    const auto accuracy = [&](std::span<const std::size_t> truth) {
      return balanced_accuracy(truth, prober.given(truth, labels), labels);
    };
    const Balanced found = accuracy(folds_.label);
    double control = 0;
    for (const std::vector<std::size_t>& order : shuffled_) control += accuracy(order).share;
    return {.tap = place.name,
            .position = place.position,
            .token = token_at(place),
            .accuracy = found.share,
            .low = found.interval.low,
            .high = found.interval.high,
            .majority = majority_,
            .shuffled = control / static_cast<double>(kShuffles)};
  }
  /// What all inputs have there.
  std::string token_at(const Place& place) const {
    if (place.position < 0) return "";
    const auto token = [&](Index i) {
      return set_.tokens(stream_at(member_, place.tap), i)[to_size(place.position)];
    };
    for (Index i = 1; i < set_.size; ++i)
      if (token(i) != token(0)) return "";
    return task_.token(token(0));
  }

  const Member& member_;
  const Task& task_;
  EncodedQuestions set_;
  LabelFolds folds_;
  std::vector<std::vector<std::size_t>> shuffled_;
  Team& team_;
  double majority_ = 0;
  std::vector<LabelShare> shares_;
};

}  // namespace

LabelledInputs read_labels(const std::string& path) {
  const ColumnFile file = read_columns(path, {.needed = {"input", "label"}, .allowed = {"answer"}});
  LabelledInputs labelled{.path = path, .inputs = {}};
  for (const ColumnFile::Row& row : file.rows)
    labelled.inputs.push_back(
        {.line = row.line, .input = row.cells[0], .label = row.cells[1], .answer = row.cells[2]});
  return labelled;
}

LabelProbing probe_labels(const Member& member, const Task& task, const LabelledInputs& labelled,
                          Team& team, const LabelProgress& progress) {
  const LabelProber prober(member, task, labelled, team);
  const std::vector<TapId> taps = stream_taps(member);
  Index done = 0, total = 0;
  for (const TapId tap : taps) total += std::ssize(prober.places(tap));
  LabelProbing probing = prober.blank();
  for (const TapId tap : taps) {
    const std::vector<Place> places = prober.places(tap);
    for (std::span<const Place> left(places); !left.empty();) {
      const auto now = left.first(std::min(left.size(), prober.at_once(tap)));
      std::ranges::move(prober.probe(now), std::back_inserter(probing.probes));
      left = left.subspan(now.size());
      done += std::ssize(now);
      if (progress) progress(done, total);
    }
  }
  return probing;
}

}  // namespace heddle
