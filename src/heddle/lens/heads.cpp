// See heads.hpp.
#include "heddle/lens/heads.hpp"

#include <algorithm>

#include "heddle/base/index.hpp"

namespace heddle {
namespace {

/// A copy of z in which some heads have other numbers.
Var overwrite(const Var& z, std::span<const Head> heads, const HeadFill& fill, Index offset,
              Index first_problem) {
  const Index batch = z.value.dim(0), positions = z.value.dim(1), count = z.value.dim(2),
              width = z.value.dim(3);
  Tensor out = Tensor::uninitialised(z.value.shape(), DType::f32);
  auto* to = out.write<float>();
  std::ranges::copy(z.value.flat<float>(), to);
  for (Index row = 0; row < batch; ++row)
    for (Index position = 0; position < positions; ++position)
      for (const Head& head : heads) {
        float* here = to + ((row * positions + position) * count + head.index) * width;
        const float* from = fill(head, first_problem + row, offset + position);
        if (from == nullptr) {
          std::fill_n(here, width, 0.0F);
        } else {
          std::copy_n(from, width, here);
        }
      }
  return {std::move(out)};
}

}  // namespace

std::vector<Head> heads_of(const Member& member) {
  std::vector<Head> heads;
  const TapTable& taps = member.model->taps();
  for (std::size_t m = 0; m < taps.heads().size(); ++m) {
    const HeadGroup& group = taps.heads()[m];
    if (group.heads == 0) continue;
    for (Index i = 0; i < group.heads; ++i)
      heads.push_back({.name = fmt::format("{}.head.{}", group.module, i),
                       .module = group.module,
                       .module_number = static_cast<int>(m),
                       .index = i,
                       .z = group.z});
  }
  return heads;
}

HeadOutputs::HeadOutputs(const Member& member, const EncodedQuestions& reference, Team& team)
    : problems_(reference.size), modules_(member.model->taps().heads().size()) {
  std::vector<TapId> taps;
  std::vector<std::size_t> module_of(member.model->taps().points().size());
  for (const Head& head : heads_of(member)) {
    if (head.index != 0) continue;
    taps.push_back(head.z);
    const auto module = to_size(head.module_number);
    module_of[to_size(head.z)] = module;
    modules_[module] = blank(reference, member.model->taps()[head.z]);
  }
  watch_taps(
      member, reference, taps, team, [&](TapId tap, const ProblemBlock& block, const Tensor& z) {
        Module& module = modules_[module_of[to_size(tap)]];
        std::ranges::copy(z.flat<float>(), module.z.begin() + block.first * z.size() / block.count);
      });
  for (Module& module : modules_)
    if (module.heads > 0) take_means(module);
}

HeadOutputs::Module HeadOutputs::blank(const EncodedQuestions& reference, const TapPoint& z) const {
  Module module{.positions = reference.length(z.stream),
                .heads = z.shape[2],  // of [0, 0, heads, d_head]
                .width = z.shape[3],
                .z = {},
                .mean = {},
                .used = {}};
  module.z.resize(to_size(problems_ * module.positions * module.heads * module.width));
  for (Index i = 0; i < problems_; ++i) module.used.push_back(reference.used(z.stream, i));
  return module;
}

/// Padding has no part in a mean. (A position that all problems pad gets zeros.)
void HeadOutputs::take_means(Module& module) const {
  const Index width = module.heads * module.width;
  std::vector<double> sums(to_size(module.positions * width));
  for (Index problem = 0; problem < problems_; ++problem) {
    const Index first = problem * module.positions * width,
                numbers = module.used[to_size(problem)] * width;
    for (Index i = 0; i < numbers; ++i)
      sums[to_size(i)] += static_cast<double>(module.z[to_size(first + i)]);
  }
  for (Index i = 0; i < module.positions * width; ++i) {
    const auto rows = std::max<Index>(
        1, std::ranges::count_if(module.used, [&](Index used) { return used > i / width; }));
    module.mean.push_back(static_cast<float>(sums[to_size(i)] / static_cast<double>(rows)));
  }
}

double HeadOutputs::share(const Head& head, Index position) const {
  const Module& module = modules_[to_size(head.module_number)];
  const auto rows = std::ranges::count_if(module.used, [&](Index used) { return used > position; });
  return static_cast<double>(rows) / static_cast<double>(problems_);
}

Index HeadOutputs::positions(const Head& head) const {
  return modules_[to_size(head.module_number)].positions;
}

const float* HeadOutputs::at(const Head& head, Index problem, Index position) const {
  const Module& module = modules_[to_size(head.module_number)];
  if (position >= module.used[to_size(problem)]) return mean(head, position);
  return module.z.data() +
         ((problem * module.positions + position) * module.heads + head.index) * module.width;
}

const float* HeadOutputs::mean(const Head& head, Index position) const {
  const Module& module = modules_[to_size(head.module_number)];
  // A longer question than all of the reference: what stood last.
  position = std::min(position, module.positions - 1);
  return module.mean.data() + (position * module.heads + head.index) * module.width;
}

HeadFill zero_fill() {
  return [](const Head&, Index, Index) -> const float* { return nullptr; };
}

HeadFill mean_fill(const HeadOutputs& outputs) {
  return
      [&outputs](const Head& head, Index, Index position) { return outputs.mean(head, position); };
}

HeadFill donor_fill(const HeadOutputs& outputs, std::span<const Index> donors) {
  return [&outputs, donors](const Head& head, Index problem, Index position) {
    return outputs.at(head, donors[to_size(problem)], position);
  };
}

void add_head_edits(Edits& edits, std::span<const Head> heads, const HeadFill& fill,
                    const ProblemBlock& block) {
  std::vector<Head> left(heads.begin(), heads.end());
  while (!left.empty()) {  // module by module
    const TapId z = left.front().z;
    std::vector<Head> here;
    std::erase_if(left, [&](const Head& head) {
      if (head.z == z) here.push_back(head);
      return head.z == z;
    });
    edits.on(edits.table()[z].path,
             [here, fill, first = block.first](const TapSite& site, const Var& x) {
               return overwrite(x, here, fill, site.offset, first);
             });
  }
}

Variant replace_heads(std::vector<Head> heads, const HeadFill& fill) {
  check(!heads.empty(), "no head to replace");
  const TapId first = std::ranges::min_element(heads, {}, &Head::z)->z;
  return {.first_tap = first,
          .hang = [heads = std::move(heads), fill](Edits& edits, const ProblemBlock& block) {
            add_head_edits(edits, heads, fill, block);
          }};
}

}  // namespace heddle
