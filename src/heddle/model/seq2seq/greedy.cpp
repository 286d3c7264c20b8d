// See greedy.hpp.
#include "heddle/model/seq2seq/greedy.hpp"

#include "heddle/base/index.hpp"
#include "heddle/kernels/loss.hpp"

namespace heddle {

void greedy_decode(const Seq2Seq& model, Run& run, const GreedyArgs& args) {
  const Index batch = args.source.batch, vocabulary = model.sizes().vocabulary;
  DecodeCache cache = model.cache(batch);
  Activations at;
  at.memory = args.memory;
  const Ids input(batch), best(batch);
  std::fill_n(input.data(), batch, args.start);
  for (Index t = 0; t < args.length; ++t) {
    const Tokens next{.ids = input.data(), .batch = batch, .length = 1, .offset = t};
    model.decode(run, args.source, next, at, &cache);
    kernels::argmax(at.logits.value.rows<float>(), best.data());
    for (Index b = 0; b < batch; ++b) {
      args.tokens[to_size(b * args.length + t)] = best.data()[b];
      if (args.logits != nullptr)
        std::copy_n(at.logits.value.data<float>() + b * vocabulary, vocabulary,
                    args.logits + (b * args.length + t) * vocabulary);
      input.data()[b] = best.data()[b];
    }
  }
}

void Seq2Seq::answer(Run& run, const ModelInput& input, Activations& at,
                     std::span<std::int32_t> said, float* logits) const {
  if (at.memory.value.empty()) encode(run, input.source, at);
  greedy_decode(*this, run,
                {.source = input.source,
                 .memory = at.memory,
                 .start = shape().start_token(),
                 .length = std::ssize(said) / input.source.batch,
                 .tokens = said,
                 .logits = logits});
}

}  // namespace heddle
