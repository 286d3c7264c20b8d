// See patterns.hpp.
#include "heddle/lens/specialise/patterns.hpp"

#include <algorithm>

#include "heddle/base/index.hpp"
#include "heddle/lens/watch.hpp"

namespace heddle {
namespace {

constexpr Index kMostProblems = 125;  // in one pass
constexpr Index kMostTokens = 4096;   // of the encoder, in one pass
constexpr int kRound = 4;             // blocks per thread whose sums wait to be added

}  // namespace

std::vector<PatternModule> pattern_modules(const Member& member,
                                           const EncodedQuestions& questions) {
  std::vector<PatternModule> modules;
  for (const HeadGroup& group : member.model->taps().heads()) {
    if (group.heads == 0) continue;
    modules.push_back({.name = group.module,
                       .kind = group.kind,
                       .tap = group.pattern,
                       .heads = group.heads,
                       .queries = questions.length(group.queries),
                       .keys = questions.length(group.keys)});
  }
  return modules;
}

std::vector<double> sum_patterns(const Member& member, const EncodedQuestions& questions,
                                 std::size_t size, Team& team, const AddPattern& add,
                                 const DecodeProgress& progress) {
  const std::vector<PatternModule> modules = pattern_modules(member, questions);
  const Decoded decoded = decode_questions(member, questions, team, progress);
  const Index most = std::clamp<Index>(kMostTokens / questions.source_length, 1, kMostProblems);
  const Index blocks = (decoded.size() + most - 1) / most;
  const Index round = Index{kRound} * team.size();
  std::vector<double> total(size);
  for (Index done = 0; done < blocks; done += round) {
    const Index pieces = std::min(round, blocks - done);
    std::vector<std::vector<double>> sums(to_size(pieces));
    team.run(static_cast<int>(pieces), [&](int piece) {
      std::vector<double>& mine = sums[to_size(piece)];
      mine.resize(size);
      const Index first = (done + piece) * most;
      const ProblemBlock block{first, std::min(most, decoded.size() - first)};
      const Watcher watcher(member, [&](TapId tap, const Tensor& x) {
        const auto found = std::ranges::find(modules, tap, &PatternModule::tap);
        if (found == modules.end()) return;
        add({.module = to_size(found - modules.begin()),
             .problems = block,
             .weights = x.flat<float>()},
            mine);
      });
      watcher.pass(decoded.input(block.first, block.count));
    });
    for (const std::vector<double>& mine : sums)
      std::ranges::transform(total, mine, total.begin(), std::plus{});
    if (progress) progress(std::min((done + pieces) * most, decoded.size()), decoded.size());
  }
  return total;
}

}  // namespace heddle
