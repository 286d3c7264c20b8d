// See importance.hpp.
#include "heddle/lens/prune/importance.hpp"

#include <algorithm>
#include <cmath>

#include "heddle/base/index.hpp"
#include "heddle/ops/loss.hpp"

namespace heddle {
namespace {

constexpr Index kBlock = 125;  // problems of one backward pass

/// Where the sums z_h · ∂L/∂z_h of a block of problems go: slopes[head][problem].
class Slopes {
 public:
  Slopes(std::size_t heads, Index problems)
      : problems_(problems), slopes_(heads * to_size(problems)) {}

  /// z and dz [row, position, head, feature] of rows that start at problem `first`.
  void take(std::size_t first_head, Index first, const Tensor& z, const Tensor& dz) {
    const Index positions = z.dim(1), heads = z.dim(2), width = z.dim(3);
    const auto value = z.flat<float>(), slope = dz.flat<float>();
    for (Index row = 0; row < z.dim(0); ++row)
      for (Index position = 0; position < positions; ++position)
        for (Index head = 0; head < heads; ++head) {
          double sum = 0;
          const Index at = ((row * positions + position) * heads + head) * width;
          for (auto i = to_size(at); i < to_size(at + width); ++i)
            sum += static_cast<double>(value[i]) * static_cast<double>(slope[i]);
          of(first_head + to_size(head), first + row) += sum;
        }
  }
  double mean_size(std::size_t head) {
    double sum = 0;
    for (Index problem = 0; problem < problems_; ++problem) sum += std::abs(of(head, problem));
    return sum / static_cast<double>(problems_);
  }

 private:
  double& of(std::size_t head, Index problem) {
    return slopes_[head * to_size(problems_) + to_size(problem)];
  }

  Index problems_;
  std::vector<double> slopes_;
};

/// An identity that is on the tape whatever it is given, and shows its gradient on the way back.
Edit recording(Tape& tape, Slopes& slopes, std::size_t first_head, Index first) {
  return [&tape, &slopes, first_head, first](const TapSite&, const Var& z) {
    // Weights are constants here. What comes before the first head is one too, so tape starts
    // there.
    const Var start = z.tape != nullptr ? z : tape.leaf(z.value);
    return record(start.value, {&start}, [&slopes, first_head, first, z = z.value](Backprop& b) {
      slopes.take(first_head, first, z, b.dy());
      b.add(0, b.dy());
    });
  };
}

}  // namespace

std::vector<double> head_importance(const Member& member, const EncodedQuestions& set, Team& team) {
  check<UsageError>(set.size > 0, "head importance: no problems");
  const std::vector<Head> heads = heads_of(member);
  Slopes slopes(heads.size(), set.size);
  const Index blocks = (set.size + kBlock - 1) / kBlock;
  team.run(static_cast<int>(blocks), [&](int block) {
    const Index first = block * kBlock, count = std::min(kBlock, set.size - first);
    Tape tape;
    Edits edits(member.model->taps());
    for (std::size_t h = 0; h < heads.size(); ++h)
      if (heads[h].index == 0)
        edits.on(edits.table()[heads[h].z].path, recording(tape, slopes, h, first));
    Run run(member.weights, &edits);
    const Var logits = member.model->forward(run, set.part(first, count));
    if (logits.tape == nullptr) return;  // no head is left
    tape.backward(cross_entropy(logits, set.targets(first), 1.0));
  });
  std::vector<double> importance;
  for (std::size_t h = 0; h < heads.size(); ++h) importance.push_back(slopes.mean_size(h));
  return importance;
}

}  // namespace heddle
