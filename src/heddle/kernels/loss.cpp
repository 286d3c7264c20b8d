// Cross-entropy and argmax: float to the vector kernels, double to the reference.
#include "heddle/kernels/loss.hpp"

#include "heddle/kernels/reference/loss.hpp"
#include "heddle/kernels/scratch.hpp"

namespace heddle::kernels {

void cross_entropy(const CrossEntropy<float>& args) {
  active_table().cross_entropy({.rows = args.logits.shape[0],
                                .columns = args.logits.shape[1],
                                .logits = raw(args.logits),
                                .targets = args.targets,
                                .weight = args.weight,
                                .loss = args.loss,
                                .dlogits = raw(args.dlogits)});
}
void cross_entropy(const CrossEntropy<double>& args) {
  reference::cross_entropy(args);
}

void argmax(Matrix<const float> logits, std::int32_t* best) {
  active_table().argmax(
      {.rows = logits.shape[0], .columns = logits.shape[1], .logits = raw(logits), .best = best});
}
void argmax(Matrix<const double> logits, std::int32_t* best) {
  reference::argmax(logits, best);
}

}  // namespace heddle::kernels
