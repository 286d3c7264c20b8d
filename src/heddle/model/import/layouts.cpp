// See layouts.hpp. A layout is a list of modules of ours beside theirs; each kind of module
// has a list of its weights.
#include "heddle/model/import/layouts.hpp"

#include <array>
#include <span>

#include "heddle/base/text.hpp"

namespace heddle {
namespace {

/// A weight within a module: where it may come from, best first.
struct Part {
  std::string_view ours, theirs;
  char third = ' ';          ///< of a packed projection: q, k or v
  bool may_miss = false;     ///< then it is zeros
  std::string_view apart{};  ///< its name where it is not packed
};

// A key bias adds the same number to all scores of a query, which no softmax sees: ours has none.
constexpr std::array kAttention{
    Part{.ours = "w_q", .theirs = "in_proj_weight", .third = 'q', .apart = "q_proj_weight"},
    Part{.ours = "b_q", .theirs = "in_proj_bias", .third = 'q', .may_miss = true},
    Part{.ours = "w_k", .theirs = "in_proj_weight", .third = 'k', .apart = "k_proj_weight"},
    Part{.ours = "w_v", .theirs = "in_proj_weight", .third = 'v', .apart = "v_proj_weight"},
    Part{.ours = "b_v", .theirs = "in_proj_bias", .third = 'v', .may_miss = true},
    Part{.ours = "w_o", .theirs = "out_proj.weight"},
    Part{.ours = "b_o", .theirs = "out_proj.bias", .may_miss = true}};
constexpr std::array kNorm{Part{.ours = "gain", .theirs = "weight"},
                           Part{.ours = "bias", .theirs = "bias", .may_miss = true}};
constexpr std::array kMlp{Part{.ours = "w_in", .theirs = "linear1.weight"},
                          Part{.ours = "b_in", .theirs = "linear1.bias", .may_miss = true},
                          Part{.ours = "w_out", .theirs = "linear2.weight"},
                          Part{.ours = "b_out", .theirs = "linear2.bias", .may_miss = true}};

struct Module {
  std::string_view ours, theirs;
  std::span<const Part> parts;
};

constexpr std::array kTransformer{
    Module{"encoder.{i}.self", "encoder.layers.{i}.self_attn", kAttention},
    Module{"encoder.{i}.norm_self", "encoder.layers.{i}.norm1", kNorm},
    Module{"encoder.{i}.mlp", "encoder.layers.{i}", kMlp},
    Module{"encoder.{i}.norm_mlp", "encoder.layers.{i}.norm2", kNorm},
    Module{"encoder.norm", "encoder.norm", kNorm},
    Module{"decoder.{i}.self", "decoder.layers.{i}.self_attn", kAttention},
    Module{"decoder.{i}.norm_self", "decoder.layers.{i}.norm1", kNorm},
    Module{"decoder.{i}.cross", "decoder.layers.{i}.multihead_attn", kAttention},
    Module{"decoder.{i}.norm_cross", "decoder.layers.{i}.norm2", kNorm},
    Module{"decoder.{i}.mlp", "decoder.layers.{i}", kMlp},
    Module{"decoder.{i}.norm_mlp", "decoder.layers.{i}.norm3", kNorm},
    Module{"decoder.norm", "decoder.norm", kNorm}};

constexpr std::array kEncoder{Module{"encoder.{i}.self", "layers.{i}.self_attn", kAttention},
                              Module{"encoder.{i}.norm_self", "layers.{i}.norm1", kNorm},
                              Module{"encoder.{i}.mlp", "layers.{i}", kMlp},
                              Module{"encoder.{i}.norm_mlp", "layers.{i}.norm2", kNorm},
                              Module{"encoder.norm", "norm", kNorm}};

struct Layout {
  std::string_view name;
  std::span<const Module> modules;
  std::string_view anchor;  ///< a tensor that every such module has
};
constexpr std::array kLayouts{
    Layout{"torch.nn.Transformer", kTransformer, "encoder.layers.0.norm1.weight"},
    Layout{"torch.nn.TransformerEncoder", kEncoder, "layers.0.norm1.weight"}};

TensorRule rule_of(const Module& module, const Part& part, const std::string& prefix) {
  const auto third = std::string_view("qkv").find(part.third);
  const auto name = [&](std::string_view theirs) {
    return fmt::format("{}{}.{}", prefix, module.theirs, theirs);
  };
  TensorSource first{.from = name(part.theirs)};
  if (third != std::string_view::npos)
    first.rows = {.kind = RowPart::Kind::third, .first = static_cast<Index>(third)};
  TensorRule rule{.ours = fmt::format("{}.{}", module.ours, part.ours), .choices = {first}};
  if (!part.apart.empty()) rule.choices.push_back({.from = name(part.apart)});
  if (part.may_miss) rule.choices.push_back({.fill = 0});
  return rule;
}

const Layout& layout_of_name(const std::string& name) {
  for (const Layout& layout : kLayouts)
    if (layout.name == name) return layout;
  const std::vector<std::string> known = layout_names();
  throw UsageError(fmt::format("there is no layout {}: accepted is {}{}", quote(name),
                               join(known, " or "), did_you_mean(name, known)));
}

/// What stands before the anchor in the names of the file.
std::string found_prefix(const Layout& layout, const ForeignFile& file) {
  std::vector<std::string> found, quoted;
  for (const ForeignTensor& tensor : file.tensors) {
    if (!tensor.name.ends_with(layout.anchor)) continue;
    const std::string before = tensor.name.substr(0, tensor.name.size() - layout.anchor.size());
    if (!before.empty() && !before.ends_with('.')) continue;
    found.push_back(before);
    quoted.push_back(quote(before));
  }
  check<FileError>(!found.empty(), "{} holds no {}: none of its tensors is called '…{}'",
                   quote_path(file.path), layout.name, layout.anchor);
  check<FileError>(found.size() == 1, "{} holds several {}: the map's \"prefix\" may be {}",
                   quote_path(file.path), layout.name, join(quoted, " or "));
  return found.front();
}

}  // namespace

std::vector<std::string> layout_names() {
  std::vector<std::string> names;
  for (const Layout& layout : kLayouts) names.emplace_back(layout.name);
  return names;
}

std::vector<TensorRule> layout_rules(const ImportMap& map, const ForeignFile& file) {
  check<UsageError>(!map.layout.empty() || !map.prefix,
                    "the map has a prefix but no layout that begins there");
  if (map.layout.empty()) return {};
  const Layout& layout = layout_of_name(map.layout);
  std::string prefix = map.prefix ? *map.prefix : found_prefix(layout, file);
  if (!prefix.empty() && !prefix.ends_with('.')) prefix += '.';
  std::vector<TensorRule> rules;
  for (const Module& module : layout.modules)
    for (const Part& part : module.parts) rules.push_back(rule_of(module, part, prefix));
  return rules;
}

}  // namespace heddle
