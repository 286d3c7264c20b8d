// Figures of one member: see figures.hpp.
#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include <fmt/format.h>

#include "heddle/base/index.hpp"
#include "heddle/base/text.hpp"
#include "heddle/report/addition/figures.hpp"
#include "heddle/report/document/label.hpp"
#include "heddle/report/draw/heatmap.hpp"
#include "heddle/report/parts/attention.hpp"

namespace heddle::report {
namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

std::size_t place_of(std::vector<std::string>& names, const std::string& name) {
  const auto found = std::ranges::find(names, name);
  if (found != names.end()) return to_size(found - names.begin());
  names.push_back(name);
  return names.size() - 1;
}

/// A map filled from (row, column, value) triples; several values of one cell are averaged.
class MapMaker {
 public:
  MapMaker() = default;
  /// With its columns in this order.
  explicit MapMaker(std::vector<std::string> columns) : columns_(std::move(columns)) {}

  void add(const std::string& row, const std::string& column, double value) {
    auto& cell = cells_[{place_of(rows_, row), place_of(columns_, column)}];
    cell.first += value;
    ++cell.second;
  }
  Map map(std::string title) const {
    Map out;
    out.title = std::move(title);
    out.rows = rows_;
    out.columns = columns_;
    out.values = std::vector<double>(rows_.size() * columns_.size(), kNone);
    for (const auto& [place, cell] : cells_)
      out.values[place.first * columns_.size() + place.second] = cell.first / cell.second;
    return out;
  }
  bool empty() const { return cells_.empty(); }

 private:
  std::vector<std::string> rows_, columns_;
  std::map<std::pair<std::size_t, std::size_t>, std::pair<double, int>> cells_;
};

/// "encoder.embed.out" is the encoder's input, "encoder.0.resid_after" what its layer 0 leaves.
std::string stage_label(const std::string& tap) {
  const std::vector<std::string> parts = split(tap, '.');
  if (parts.size() != 3) return tap;
  const std::string stack = parts[0] == "encoder" ? "Encoder" : "Decoder";
  return parts[1] == "embed" ? stack + " input" : fmt::format("after {} L{}", stack, parts[1]);
}

/// What stands at each position of these places, in reading order.
template <class Places>
std::vector<std::string> tokens_in_order(const Places& places, const auto& wanted) {
  std::map<std::int64_t, std::string> by_position;
  for (const auto& place : places)
    if (wanted(place) && place.position >= 0)
      by_position[place.position] =
          place.token.empty() ? std::to_string(place.position) : place.token;
  std::vector<std::string> tokens;
  for (const auto& [position, token] : by_position) tokens.push_back(token);
  return tokens;
}

/// The three maps of one column: encoder stream, decoder stream, heads.
std::vector<Map> circuit_maps(const Patching& patching, std::int64_t column) {
  const auto tokens = [&](bool of_encoder) {
    return tokens_in_order(patching.stream, [&](const PatchEffect& effect) {
      return effect.column == column && effect.place.starts_with("encoder") == of_encoder;
    });
  };
  MapMaker encoder(tokens(true)), decoder(tokens(false)), heads;
  for (const PatchEffect& effect : patching.stream)
    if (effect.column == column)
      (effect.place.starts_with("encoder") ? encoder : decoder)
          .add(stage_label(effect.place),
               effect.token.empty() ? std::to_string(effect.position) : effect.token,
               effect.effect);
  for (const PatchEffect& effect : patching.heads)
    if (effect.column == column && parse_head(effect.place).is_head())
      heads.add(label_of(module_of(effect.place)),
                fmt::format("H{}", parse_head(effect.place).number), effect.effect);
  return {encoder.map("encoder stream"), decoder.map("decoder stream"),
          heads.map("heads, all positions")};
}

}  // namespace

std::string file_part(const std::string& name) {
  std::string part = name;
  for (char& c : part)
    if (std::isalnum(static_cast<unsigned char>(c)) == 0) c = '_';
  return part;
}

std::string attention_averages(const Source& source, const MemberRecord& member) {
  const auto all = std::ranges::find(member.pictures, "all", &AttentionPicture::name);
  return all == member.pictures.end() ? "" : attention_model(member, *all, &source);
}

std::string carry_circuit(const MemberRecord& member) {
  std::vector<std::int64_t> columns;
  for (const auto* list : {&member.patching.stream, &member.patching.heads})
    for (const PatchEffect& effect : *list)
      if (std::ranges::find(columns, effect.column) == columns.end())
        columns.push_back(effect.column);
  if (columns.empty()) return "";
  std::ranges::sort(columns);
  MapFigure figure;
  figure.text = {
      .title = "Where the carry travels",
      .subtitle = fmt::format("Share of the logit difference that moves when one place is "
                              "patched from a problem that differs in one carry ({}).",
                              name_of(member)),
      .caption =
          "Means over pairs, carry brought and carry taken averaged; 0 nothing, 1 "
          "all of it. Intervals and the control pairs "
          "without a flipped carry stand in the table."};
  figure.maps_per_row = 3;
  figure.cell = 22;
  figure.value_label = "effect of the patch";
  double most = 1;
  for (const std::int64_t column : columns) {
    for (Map& map : circuit_maps(member.patching, column)) {
      for (const double value : map.values)
        most = std::isfinite(value) ? std::max(most, value) : most;
      figure.maps.push_back(std::move(map));
    }
    figure.map_rows.push_back("carry of the " + column_name(column));
  }
  figure.most = most > 1 ? std::ceil(most * 10) / 10 : 1;
  return draw(figure);
}

std::string probes(const MemberRecord& member) {
  std::vector<std::string> targets;
  for (const ProbeResult& probe : member.probing.probes) place_of(targets, probe.target);
  if (targets.empty()) return "";
  MapFigure figure;
  figure.text = {
      .title = "Where a carry can be read off",
      .subtitle = fmt::format("Accuracy of a linear probe above the best of its controls ({}).",
                              name_of(member)),
      .caption =
          "Controls: the commoner bit, the same probe for other thresholds of the same "
          "digits, and the untrained model; only what "
          "exceeds all three says anything. Accuracies with intervals stand in the table."};
  figure.maps_per_row = static_cast<int>(std::min<std::size_t>(targets.size(), 3));
  figure.cell = 26;
  figure.diverges = true;
  figure.value_label = "accuracy beyond the controls (points)";
  double most = 1;
  for (const std::string& target : targets) {
    MapMaker maker;
    for (const ProbeResult& probe : member.probing.probes) {
      if (probe.target != target) continue;
      const double control =
          std::max({probe.majority, std::isfinite(probe.control) ? probe.control : 0,
                    std::isfinite(probe.untrained) ? probe.untrained : 0});
      const std::string place =
          parse_head(probe.tap).is_head() ? label_of(probe.tap) : stage_label(probe.tap);
      maker.add(place, probe.token.empty() ? std::to_string(probe.position) : probe.token,
                100 * (probe.accuracy - control));
      if (std::isfinite(probe.accuracy))
        most = std::max(most, std::abs(100 * (probe.accuracy - control)));
    }
    figure.maps.push_back(maker.map(target));
  }
  figure.most = std::ceil(most / 10) * 10;
  return draw(figure);
}

}  // namespace heddle::report
