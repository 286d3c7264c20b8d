// Heads as points, what they cost against how sharply they look: see figures.hpp.
#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "heddle/report/addition/figures.hpp"
#include "heddle/report/document/label.hpp"
#include "heddle/report/draw/scatter.hpp"
#include "heddle/report/parts/ablation.hpp"

namespace heddle::report {
namespace {

constexpr double kNoValue = std::numeric_limits<double>::quiet_NaN();
constexpr std::string_view kSharpness = "entropy";

/// How spread a head's attention is; no number where it was not measured.
double entropy_of(const MemberRecord& member, const std::string& head) {
  for (const HeadMeasure& measure : member.specialisation.measures)
    if (measure.head == head && measure.measure == kSharpness) return measure.value;
  return kNoValue;
}

}  // namespace

std::string sharpness(const AdditionStudy& study, const MemberRecord& shown) {
  ScatterFigure figure;
  figure.text = {
      .title = "Does a sharper head matter more?",
      .subtitle = fmt::format("What every head costs against how spread its attention is; named: "
                              "heads of {} that cost more than a point.",
                              name_of(shown)),
      .caption =
          "Whiskers: paired 95 % intervals over problems. Faint: the heads of the other "
          "seeds of the same recipe. Entropy as a share of that of uniform attention."};
  figure.x_label = "entropy of attention (0 = one key, 1 = all alike)";
  figure.y_label = "drop (percentage points)";
  for (const MemberRecord* member : members_of(study, shown.recipe))
    for (const Effect& effect : member->ablation.heads) {
      if (effect.mode != AblationMode::mean || !std::isfinite(effect.drop)) continue;
      const double x = entropy_of(*member, effect.what);
      if (!std::isfinite(x)) continue;
      ScatterPoint spot{.x = x, .y = 100 * effect.drop, .label = "", .ink = band_ink(effect.band)};
      spot.faint = member != &shown;
      if (!spot.faint) {
        spot.low = 100 * effect.low;
        spot.high = 100 * effect.high;
        if (effect.band != Band::redundant) spot.label = label_of(effect.what);
      }
      figure.spots.push_back(std::move(spot));
    }
  if (std::ranges::all_of(figure.spots, &ScatterPoint::faint)) return "";
  figure.legend = {{"critical", band_ink(Band::critical)},
                   {"important", band_ink(Band::important)},
                   {"redundant", band_ink(Band::redundant)}};
  return draw(figure);
}

}  // namespace heddle::report
