// See plan.hpp.
#include "heddle/model/import/plan.hpp"

#include <algorithm>
#include <array>
#include <set>

#include "heddle/base/index.hpp"
#include "heddle/base/text.hpp"
#include "heddle/model/import/layouts.hpp"

namespace heddle {
namespace {

constexpr std::string_view kLayer = "{i}";
constexpr std::array<std::string_view, 4> kHeadWeights{"head.w_in", "head.b_in", "head.w_out",
                                                       "head.b_out"};

/// The number that stands for {i} if the name fits the pattern; empty for a pattern without one.
std::optional<std::string> fitting(std::string_view pattern, std::string_view name) {
  const std::size_t at = pattern.find(kLayer);
  if (at == std::string_view::npos)
    return pattern == name ? std::optional<std::string>("") : std::nullopt;
  const std::string_view before = pattern.substr(0, at), after = pattern.substr(at + kLayer.size());
  if (name.size() <= before.size() + after.size() || !name.starts_with(before) ||
      !name.ends_with(after))
    return std::nullopt;
  const std::string_view number =
      name.substr(before.size(), name.size() - before.size() - after.size());
  if (number.find_first_not_of("0123456789") != std::string_view::npos) return std::nullopt;
  return std::string(number);
}

std::string with_layer(std::string name, const std::string& number) {
  for (std::size_t at = 0; (at = name.find(kLayer, at)) != std::string::npos; at += number.size())
    name.replace(at, kLayer.size(), number);
  return name;
}

class Planner {
 public:
  Planner(const ImportMap& map, const ForeignFile& file, const WeightLayout& ours)
      : map_(map), file_(file), ours_(ours), claims_(ours.specs().size()) {}

  ImportPlan plan() {
    layout_ = layout_rules(map_, file_);
    claim_head();
    for (const TensorRule& rule : map_.tensors) claim(rule, true);
    for (const TensorRule& rule : layout_) claim(rule, false);
    for (std::size_t i = 0; i < claims_.size(); ++i) fill(i);
    for (const std::string& name : map_.sinusoids)
      plan_.sinusoids.push_back(&needed(name, "the map's \"sinusoids\""));
    check_ignored();
    check_all_used();
    plan_.used.assign(used_.begin(), used_.end());
    return std::move(plan_);
  }

 private:
  /// Who fills a weight.
  struct Claim {
    const TensorRule* rule = nullptr;
    std::string number{};
    bool head = false;
    bool taken() const { return head || rule != nullptr; }
  };

  const std::string& path(std::size_t weight) const { return ours_.specs()[weight].path; }

  void claim_head() {
    if (map_.head.empty()) return;
    for (const std::string_view name : kHeadWeights) {
      const auto found = std::ranges::find(ours_.specs(), name, &WeightSpec::path);
      check<UsageError>(found != ours_.specs().end(),
                        "head: this model has no classifier's head, it is for sequences of tokens");
      claims_[to_size(found - ours_.specs().begin())].head = true;
    }
    for (const std::string& module : map_.head)
      plan_.head.push_back({.weight = &needed(module + ".weight", "the map's \"head\""),
                            .bias = use(module + ".bias")});
  }

  /// Explicit rules come first, fill something and never the same weight twice; a layout's rules
  /// take what is left.
  void claim(const TensorRule& rule, bool is_explicit) {
    bool any = false;
    for (std::size_t i = 0; i < claims_.size(); ++i) {
      const auto number = fitting(rule.ours, path(i));
      if (!number) continue;
      any = true;
      Claim& claim = claims_[i];
      check<UsageError>(
          !is_explicit || !claim.taken(), "{} is filled twice: by {} and by {}", path(i),
          claim.head ? "\"head\"" : quote(claim.taken() ? claim.rule->ours : ""), quote(rule.ours));
      if (!claim.taken()) claim = {.rule = &rule, .number = *number};
    }
    if (is_explicit) check_explicit(rule, any);
  }

  void check_explicit(const TensorRule& rule, bool any) const {
    std::vector<std::string> names;
    for (std::size_t i = 0; i < claims_.size(); ++i) names.push_back(path(i));
    check<UsageError>(any, "tensors: {} is no weight of this model{}", quote(rule.ours),
                      did_you_mean(rule.ours, names));
    const bool layers = rule.ours.find(kLayer) != std::string::npos;
    for (const TensorSource& source : rule.choices)
      check<UsageError>(layers || source.from.find(kLayer) == std::string::npos,
                        "tensors: {} takes {}, and only a name with {{i}} takes one with {{i}}",
                        quote(rule.ours), quote(source.from));
  }

  void fill(std::size_t weight) {
    const Claim& claim = claims_[weight];
    check<UsageError>(claim.taken(), "nothing fills {}: the map names no tensor for it",
                      path(weight));
    if (claim.head) return;
    Filling filling{.weight = static_cast<WeightId>(weight), .from = nullptr, .source = {}};
    std::vector<std::string> tried;
    for (const TensorSource& choice : claim.rule->choices) {
      filling.source = choice;
      if (choice.from.empty()) break;
      filling.source.from = with_layer(choice.from, claim.number);
      filling.from = use(filling.source.from);
      if (filling.from != nullptr) break;
      tried.push_back(filling.source.from);
    }
    const bool constant = filling.source.from.empty();
    if (filling.from == nullptr && !constant) refuse_missing(tried, path(weight));
    if (constant) plan_.constant.push_back(path(weight));
    plan_.weights.push_back(std::move(filling));
  }

  /// The tensor of that name, which is used now; null if there is none.
  const ForeignTensor* use(const std::string& name) {
    const ForeignTensor* found = file_.find(name);
    if (found != nullptr) used_.insert(name);
    return found;
  }

  const ForeignTensor& needed(const std::string& name, std::string_view who) {
    const ForeignTensor* found = use(name);
    if (found == nullptr) refuse_missing({name}, who);
    return *found;
  }

  [[noreturn]] void refuse_missing(const std::vector<std::string>& names,
                                   std::string_view who) const {
    std::vector<std::string> quoted;
    for (const std::string& name : names) quoted.push_back(quote(name));
    throw FileError(fmt::format("{} has no tensor {}, which {} needs{}", quote_path(file_.path),
                                join(quoted, " or "), who,
                                did_you_mean(names.front(), file_.names())));
  }

  void check_ignored() {
    for (const std::string& pattern : map_.ignore) {
      bool any = false;
      for (const ForeignTensor& tensor : file_.tensors) {
        if (!matches(pattern, tensor.name)) continue;
        any = true;
        check<UsageError>(!used_.contains(tensor.name), "ignore: {} is used, by the map itself",
                          quote(tensor.name));
        if (std::ranges::find(plan_.ignored, tensor.name) == plan_.ignored.end())
          plan_.ignored.push_back(tensor.name);
      }
      check<FileError>(any, "{} has no tensor {}, which the map's \"ignore\" names{}",
                       quote_path(file_.path), quote(pattern),
                       did_you_mean(pattern, file_.names()));
    }
  }

  void check_all_used() const {
    std::vector<std::string> left;
    for (const ForeignTensor& tensor : file_.tensors)
      if (!used_.contains(tensor.name) &&
          std::ranges::find(plan_.ignored, tensor.name) == plan_.ignored.end())
        left.push_back(tensor.name);
    if (left.empty()) return;
    const std::string others =
        left.size() > 1 ? fmt::format(" (and {} more tensors)", left.size() - 1) : "";
    throw FileError(fmt::format("{} holds {}{}, which {}", quote_path(file_.path),
                                quote(left.front()), others, reason(left.front())));
  }

  /// Why nothing uses a tensor.
  std::string reason(const std::string& name) const {
    for (const TensorRule& rule : layout_)
      for (const TensorSource& choice : rule.choices)
        if (const auto number = fitting(choice.from, name); number && !choice.from.empty())
          return fmt::format(
              "belongs to {}, and the map's settings describe a model without it or another tensor "
              "fills it",
              with_layer(rule.ours, *number));
    return "nothing uses: map it or name it under \"ignore\"";
  }

  const ImportMap& map_;
  const ForeignFile& file_;
  const WeightLayout& ours_;
  std::vector<TensorRule> layout_;
  std::vector<Claim> claims_;
  std::set<std::string> used_;
  ImportPlan plan_;
};

}  // namespace

ImportPlan plan_import(const ImportMap& map, const ForeignFile& file, const WeightLayout& ours) {
  return Planner(map, file, ours).plan();
}

}  // namespace heddle
