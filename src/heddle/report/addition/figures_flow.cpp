// The way of the carry: see figures.hpp.
#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include "heddle/base/index.hpp"
#include "heddle/base/text.hpp"
#include "heddle/report/addition/figures.hpp"
#include "heddle/report/document/label.hpp"
#include "heddle/report/document/number.hpp"
#include "heddle/report/draw/flow.hpp"

namespace heddle::report {
namespace {

constexpr std::size_t kEffectPart = 4;

/// A step of the path, "column|kind|place|token|effect", taken apart.
struct PathStep {
  std::int64_t column = 0;
  std::string kind, place, token;
  double effect = 0;
  const std::string* text = nullptr;
};

std::optional<PathStep> parse_step(const std::string& text) {
  const std::vector<std::string> parts = split(text, '|');
  if (parts.size() != 5) return std::nullopt;
  const auto column = parse_int(parts[0]);
  const auto effect = parse_double(parts[4]);
  if (!column || !effect) return std::nullopt;
  return PathStep{.column = *column,
                  .kind = parts[1],
                  .place = parts[2],
                  .token = parts[3],
                  .effect = *effect,
                  .text = &text};
}

/// Which layers there are, and so which column of the figure a place has.
class Stages {
 public:
  explicit Stages(const std::vector<PathStep>& steps) {
    for (const PathStep& step : steps) {
      const auto parts = split(step.place, '.');
      const auto layer = parts.size() > 1 ? parse_int(parts[1]) : std::nullopt;
      if (!layer) continue;
      auto& layers = parts[0] == "encoder" ? encoder_ : decoder_;
      layers = std::max(layers, to_size(*layer) + 1);
    }
  }

  std::vector<std::string> headings() const {
    std::vector<std::string> names{"Encoder input"};
    for (const auto& [stack, layers] : {std::pair{"Enc", encoder_}, {"Dec", decoder_}})
      for (std::size_t layer = 0; layer < layers; ++layer) {
        names.push_back(fmt::format("{} L{} heads", stack, layer));
        names.push_back(fmt::format("after {} L{}", stack, layer));
      }
    names.emplace_back("digit");
    return names;
  }

  std::optional<std::size_t> of(const PathStep& step) const {
    if (step.kind == "digit") return 1 + 2 * (encoder_ + decoder_);
    const auto parts = split(step.place, '.');
    const auto layer = parts.size() > 1 ? parse_int(parts[1]) : std::nullopt;
    if (!layer)
      return step.place == "encoder.embed.out" ? std::optional<std::size_t>(0) : std::nullopt;
    const std::size_t before = parts[0] == "encoder" ? 0 : encoder_;
    return 1 + 2 * (before + to_size(*layer)) + (step.kind == "head" ? 0 : 1);
  }

 private:
  std::size_t encoder_ = 0, decoder_ = 0;
};

FlowNode node_of(const Source& source, const PathStep& step, std::size_t stage) {
  const Text effect = source.part(*step.text, kEffectPart, 2);
  FlowNode node{.stage = stage, .label = step.token, .note = effect, .weight = step.effect};
  if (step.kind == "head") {
    const HeadName head = parse_head(step.place);
    node.label = fmt::format("{}H{}", head.cross ? "cross " : "", head.number);
    node.note = say("{} · {}", step.token, effect);
  }
  return node;
}

}  // namespace

std::string carry_flow(const Source& source, const MemberRecord& member) {
  std::vector<PathStep> steps;
  for (const std::string& text : member.patching.path)
    if (auto step = parse_step(text)) steps.push_back(std::move(*step));
  if (steps.empty()) return "";
  const Stages stages(steps);
  FlowFigure figure;
  figure.text = {
      .title = "The way of the carry",
      .subtitle = fmt::format("From the column that makes it to the digit that needs it: the "
                              "places that move the answer most when they are patched ({}).",
                              name_of(member)),
      .caption =
          "Every number: the share of the logit difference that moves when the place is patched at "
          "that one token, carry brought and carry taken averaged. Boxes of a stream: the token. "
          "Boxes of heads: the head, the token where it moves most, and what it moves there. What "
          "a head moves at all tokens at once stands in the map of heads. Darker boxes and wider "
          "lines: more of it."};
  figure.stages = stages.headings();
  for (const PathStep& step : steps) {
    const std::string title = "carry of the " + column_name(step.column);
    const auto stage = stages.of(step);
    if (!stage) continue;
    if (figure.lanes.empty() || figure.lanes.back().title != title)
      figure.lanes.push_back({.title = title, .nodes = {}});
    figure.lanes.back().nodes.push_back(node_of(source, step, *stage));
  }
  return figure.lanes.empty() ? "" : draw(figure);
}

}  // namespace heddle::report
