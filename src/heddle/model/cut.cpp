// See cut.hpp.
#include "heddle/model/cut.hpp"

#include <algorithm>
#include <map>

#include "heddle/base/fields.hpp"
#include "heddle/base/text.hpp"
#include "heddle/config/head_names.hpp"

namespace heddle {
namespace {

/// One attention: who goes, who stays.
struct ModuleCut {
  std::vector<Index> kept;
  std::vector<std::pair<Index, const HeadCut*>> gone;
};
using ModuleCuts = std::map<std::string, ModuleCut, std::less<>>;

ModuleCuts cuts_by_module(const Member& member, std::span<const HeadCut> cuts) {
  ModuleCuts modules;
  std::vector<std::string> known;
  for (const HeadGroup& group : member.model->taps().heads())
    for (Index i = 0; i < group.heads; ++i) {
      const std::string& name = known.emplace_back(fmt::format("{}.head.{}", group.module, i));
      const auto cut = std::ranges::find(cuts, name, &HeadCut::head);
      if (cut == cuts.end()) {
        modules[group.module].kept.push_back(i);
      } else {
        modules[group.module].gone.emplace_back(i, &*cut);
      }
    }
  for (const HeadCut& cut : cuts) {
    check<UsageError>(std::ranges::count(known, cut.head) == 1, "{} is no head of this model{}",
                      quote(cut.head), did_you_mean(cut.head, known));
    check<UsageError>(std::ranges::count(cuts, cut.head, &HeadCut::head) == 1,
                      "{} is to be cut twice", cut.head);
  }
  return modules;
}

Config smaller_config(const Config& config, const ModuleCuts& modules) {
  std::vector<HeadName> gone = parse_heads(config.model.cut_heads);
  for (const auto& [module, cut] : modules)
    for (const auto& [index, head] : cut.gone)
      gone.push_back(parse_heads(whole_name(config.model, module, index)).front());
  std::ranges::sort(gone);
  Config smaller = config;
  smaller.model.cut_heads = heads_text(gone);
  return smaller;
}

/// Copies the kept heads' slices of a weight that has one for each head, `rows` times over: columns
/// of a matrix [rows, heads · width], rows of one [heads · rows, width], numbers of a vector.
void keep_heads(const Tensor& from, const ModuleCut& cut, Index rows, float* to) {
  const auto heads = static_cast<Index>(cut.kept.size() + cut.gone.size());
  const Index width = from.size() / (rows * heads);
  for (Index row = 0; row < rows; ++row)
    for (const Index head : cut.kept)
      to = std::copy_n(from.data<float>() + (row * heads + head) * width, width, to);
}

/// b_o + Σ z̄ · (rows of w_o), summed in double.
void fold(const Tensor& b_o, const Tensor& w_o, const ModuleCut& cut, Index width, float* to) {
  const Index d = b_o.size();
  for (Index j = 0; j < d; ++j) {
    auto sum = static_cast<double>(b_o.data<float>()[j]);
    for (const auto& [index, head] : cut.gone)
      for (std::size_t e = 0; e < head->output.size(); ++e)
        sum +=
            static_cast<double>(head->output[e]) *
            static_cast<double>(w_o.data<float>()[(index * width + static_cast<Index>(e)) * d + j]);
    to[j] = static_cast<float>(sum);
  }
}

/// Fills the smaller member's weights from the larger one's.
class Cutter {
 public:
  Cutter(const Member& from, const Member& to) : from_(from), to_(to) {
    const auto& specs = from.weights.layout().specs();
    for (std::size_t i = 0; i < specs.size(); ++i)
      by_path_[specs[i].path] = from.weights.value(static_cast<WeightId>(i));
  }

  void cut(const ModuleCuts& modules) const {
    const Index width = from_.config.model.d_head();
    for (const WeightSpec& spec : to_.weights.layout().specs()) {
      const std::size_t dot = spec.path.rfind('.');
      const std::string name = spec.path.substr(dot + 1), module = spec.path.substr(0, dot);
      const Tensor& whole = by_path_.at(spec.path);
      float* to = to_.weights.flat().write_shared<float>() + spec.offset;
      const auto found = modules.find(module);
      const bool cut = found != modules.end() && !found->second.gone.empty();
      if (cut && name == "b_o") {
        fold(whole, by_path_.at(module + ".w_o"), found->second, width, to);
      } else if (!cut || whole.shape() == spec.shape) {  // no head has a part of its own in it
        std::ranges::copy(whole.flat<float>(), to);
      } else {
        const bool by_rows = whole.shape().rank() == 2 && whole.dim(0) != spec.shape[0];
        keep_heads(whole, found->second, by_rows || whole.shape().rank() == 1 ? 1 : whole.dim(0),
                   to);
      }
    }
  }

 private:
  const Member &from_, &to_;
  std::map<std::string, Tensor> by_path_;
};

}  // namespace

Member cut_heads(const Member& member, std::span<const HeadCut> cuts) {
  const Index width = member.config.model.d_head();
  for (const HeadCut& cut : cuts)
    check<ShapeError>(cut.output.empty() || std::ssize(cut.output) == width,
                      "cut heads: {} numbers stand in for {}, which puts out {}", cut.output.size(),
                      cut.head, width);
  const ModuleCuts modules = cuts_by_module(member, cuts);
  Member smaller;
  smaller.config = smaller_config(member.config, modules);
  smaller.model = build_model(smaller.config);
  smaller.weights = Weights(smaller.model->layout(), DType::f32);
  Cutter(member, smaller).cut(modules);
  smaller.weights.pack();
  return smaller;
}

}  // namespace heddle
