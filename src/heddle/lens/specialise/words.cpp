// See words.hpp.
#include "heddle/lens/specialise/words.hpp"

#include <algorithm>
#include <array>
#include <limits>

#include "heddle/base/index.hpp"
#include "heddle/lens/specialise/patterns.hpp"
#include "heddle/lens/specialise/roles.hpp"
#include "heddle/lens/specialise/row_shape.hpp"
#include "heddle/lens/watch.hpp"
#include "heddle/task/row_layout.hpp"

namespace heddle {
namespace {

constexpr Index kMostQuestions = 125;         // in one pass
constexpr Index kMostCells = Index{1} << 22;  // of one attention, in one pass
constexpr int kWordsRound = 4;                // blocks per thread whose sums wait to be added

constexpr std::array<std::string_view, 3> kShapeNames{"entropy", "gini", "hoyer"};
constexpr std::array<double, 3> kUniformShapes{1, 0, 0};

/// A row of attention with what stands around it. Places count over all tokens of a sequence;
/// words are the tokens that are no BOS or CLS.
struct Row {
  bool is_cross = false;
  bool answering = false;  // later tokens of its own stream are not there yet
  Index query = 0;
  std::int32_t token = 0;              // that the query reads
  std::span<const std::int32_t> keys;  // without padding
  Index first_word = 0, words = 0;     // of the keys

  Index length() const { return std::ssize(keys); }
  bool is_word(Index place) const { return place >= first_word && place < first_word + words; }
};

/// The measure's one key of a row; −1 where there is none.
struct NamedKey {
  std::string_view name;
  Index (*key)(const Row&);
};
constexpr Index kNone = -1;

Index self_key(const Row& row) {
  return row.is_cross ? kNone : row.query;
}
Index previous_key(const Row& row) {
  return row.is_cross ? kNone : row.query - 1;
}
Index next_key(const Row& row) {
  return !row.is_cross && !row.answering && row.query + 1 < row.length() ? row.query + 1 : kNone;
}
Index first_key(const Row& /*row*/) {
  return 0;
}
/// The last that an answer sees of itself is the row itself.
Index last_key(const Row& row) {
  return row.answering ? kNone : row.length() - 1;
}
Index aligned_key(const Row& row) {
  return row.is_cross && row.query < row.words ? row.first_word + row.query : kNone;
}
Index mirror_key(const Row& row) {
  if (row.answering) return kNone;
  const Index word = row.is_cross ? row.query : row.query - row.first_word;
  return word >= 0 && word < row.words ? row.first_word + row.words - 1 - word : kNone;
}
constexpr std::array<NamedKey, 7> kNamedKeys{{{"self", self_key},
                                              {"previous", previous_key},
                                              {"next", next_key},
                                              {"aligned", aligned_key},
                                              {"mirror", mirror_key},
                                              {"first", first_key},
                                              {"last", last_key}}};
constexpr std::string_view kSameToken = "same-token";
constexpr std::size_t kMeasures = kShapeNames.size() + kNamedKeys.size() + 1, kSame = kMeasures - 1;

std::string_view measure_name(std::size_t m) {
  if (m < kShapeNames.size()) return kShapeNames[m];
  return m == kSame ? kSameToken : kNamedKeys[m - kShapeNames.size()].name;
}

/// For one head: of every measure its rows, their uniform values and the head's own.
class HeadSums {
 public:
  static constexpr std::size_t kSize = 3 * kMeasures;
  explicit HeadSums(std::span<double> sums) : sums_(sums) {}

  /// The weights of one row and whether each key is allowed; padding left out of both.
  void add(const Row& row, std::span<const float> weights, std::span<const std::uint8_t> allowed) {
    static thread_local std::vector<float> seen;
    seen.clear();
    for (std::size_t k = 0; k < weights.size(); ++k)
      if (allowed[k] != 0) seen.push_back(weights[k]);
    if (seen.size() < 2) return;  // no choice
    const std::array<double, 3> shapes{normalised_entropy(seen), gini(seen), hoyer(seen)};
    for (std::size_t m = 0; m < kShapeNames.size(); ++m) count(m, kUniformShapes[m], shapes[m]);
    const auto keys = static_cast<double>(seen.size());
    for (std::size_t a = 0; a < kNamedKeys.size(); ++a) {
      const Index key = kNamedKeys[a].key(row);
      // The row's own place is "self" and nothing else.
      const bool own = !row.is_cross && key == row.query && kNamedKeys[a].name != "self";
      if (key < 0 || own || allowed[to_size(key)] == 0) continue;
      count(kShapeNames.size() + a, 1 / keys, static_cast<double>(weights[to_size(key)]));
    }
    add_same_token(row, weights, allowed, keys);
  }

 private:
  void count(std::size_t measure, double uniform, double value) {
    sums_[measure] += 1;
    sums_[kMeasures + measure] += uniform;
    sums_[2 * kMeasures + measure] += value;
  }
  /// Other places that hold the token which the query reads.
  void add_same_token(const Row& row, std::span<const float> weights,
                      std::span<const std::uint8_t> allowed, double keys) {
    double places = 0, weight = 0;
    for (std::size_t k = 0; k < weights.size(); ++k) {
      const bool own = !row.is_cross && static_cast<Index>(k) == row.query;
      if (own || allowed[k] == 0 || row.keys[k] != row.token) continue;
      places += 1;
      weight += static_cast<double>(weights[k]);
    }
    if (places > 0) count(kSame, places / keys, weight);
  }

  std::span<double> sums_;
};

/// The attentions of a member on these questions.
class WordMeasures {
 public:
  WordMeasures(const Member& member, const Decoded& decoded) : member_(member), decoded_(decoded) {
    const TapTable& taps = member.model->taps();
    if (decoded.labels()) layout_ = row_layout(member.config.model);
    for (const HeadGroup& group : taps.heads()) {
      if (group.heads == 0) continue;
      modules_.push_back({.name = group.module,
                          .queries = group.queries,
                          .keys = group.keys,
                          .scores = group.scores,
                          .pattern = group.pattern,
                          .heads = group.heads,
                          .start = size_});
      size_ += to_size(group.heads) * HeadSums::kSize;
    }
  }

  std::size_t size() const { return size_; }

  /// Adds what a block of questions shows.
  void look(Index first, Index count, std::span<double> sums) const {
    std::vector<std::uint8_t> allowed;  // of the attention that passes
    const Watcher watcher(member_, [&](TapId tap, const Tensor& x) {
      if (std::ranges::find(modules_, tap, &Module::scores) != modules_.end()) {
        allowed.clear();
        for (const float score : x.flat<float>())
          allowed.push_back(score == -std::numeric_limits<float>::infinity() ? 0 : 1);
      }
      const auto module = std::ranges::find(modules_, tap, &Module::pattern);
      if (module == modules_.end()) return;
      for (Index i = 0; i < count; ++i) add(*module, first + i, i, x, allowed, sums);
    });
    watcher.pass(decoded_.input(first, count));
  }

  void write(std::span<const double> sums, Specialisation& out) const {
    for (const Module& module : modules_)
      for (Index h = 0; h < module.heads; ++h) {
        const auto mine =
            sums.subspan(module.start + to_size(h) * HeadSums::kSize, HeadSums::kSize);
        for (std::size_t m = 0; m < kMeasures; ++m) {
          if (mine[m] == 0) continue;
          out.measures.push_back({.head = fmt::format("{}.head.{}", module.name, h),
                                  .measure = std::string(measure_name(m)),
                                  .value = mine[2 * kMeasures + m] / mine[m],
                                  .uniform = mine[kMeasures + m] / mine[m]});
        }
      }
  }

 private:
  struct Module {
    std::string name;
    Stream queries = Stream::none, keys = Stream::none;
    TapId scores = -1, pattern = -1;
    Index heads = 0;
    std::size_t start = 0;  // of its sums
  };

  /// One question's pattern [head, query, key], the `place`-th of its block.
  void add(const Module& module, Index question, Index place, const Tensor& pattern,
           std::span<const std::uint8_t> allowed, std::span<double> sums) const {
    const auto queries = decoded_.tokens(module.queries, question),
               keys = decoded_.tokens(module.keys, question);
    const Index rows = pattern.dim(2), across = pattern.dim(3);
    Row row{.is_cross = module.queries != module.keys,
            .answering = module.keys == Stream::target,
            .keys = keys};
    const bool within_question = module.queries == Stream::source;
    row.first_word = within_question ? layout_.front() : 0;
    row.words = row.length() - (within_question ? layout_.length(0) : 0);
    for (Index h = 0; h < module.heads; ++h) {
      HeadSums head(sums.subspan(module.start + to_size(h) * HeadSums::kSize, HeadSums::kSize));
      for (row.query = 0; row.query < std::ssize(queries); ++row.query) {
        row.token = queries[to_size(row.query)];
        const auto at = to_size(((place * module.heads + h) * rows + row.query) * across);
        head.add(row, pattern.flat<float>().subspan(at, keys.size()),
                 allowed.subspan(at, keys.size()));
      }
    }
  }

  const Member& member_;
  const Decoded& decoded_;
  RowLayout layout_;  // of a classifier's rows
  std::vector<Module> modules_;
  std::size_t size_ = 0;
};

}  // namespace

Specialisation specialise_words(const Member& member, const EncodedQuestions& questions, Team& team,
                                const DecodeProgress& progress) {
  const Decoded decoded = decode_questions(member, questions, team, progress);
  const WordMeasures measures(member, decoded);
  const Index longest = std::max(decoded.read.source_length, decoded.read.target_length);
  const Index most = std::clamp<Index>(kMostCells / (longest * longest * member.config.model.heads),
                                       1, kMostQuestions);
  const Index blocks = (decoded.size() + most - 1) / most, round = Index{kWordsRound} * team.size();
  std::vector<double> total(measures.size());
  for (Index done = 0; done < blocks; done += round) {
    const Index pieces = std::min(round, blocks - done);
    std::vector<std::vector<double>> sums(to_size(pieces));
    team.run(static_cast<int>(pieces), [&](int piece) {
      std::vector<double>& mine = sums[to_size(piece)];
      mine.resize(measures.size());
      const Index first = (done + piece) * most;
      measures.look(first, std::min(most, decoded.size() - first), mine);
    });
    for (const std::vector<double>& mine : sums)
      std::ranges::transform(total, mine, total.begin(), std::plus{});
    if (progress) progress(std::min((done + pieces) * most, decoded.size()), decoded.size());
  }
  Specialisation found{.problems = decoded.size(), .measures = {}, .roles = {}, .as_reported = {}};
  measures.write(total, found);
  found.roles = roles_of(found.measures, word_role_rules());
  return found;
}

}  // namespace heddle
