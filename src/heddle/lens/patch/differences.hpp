// What patching measures: how far the value of one place, taken from another run, moves the
// difference of two logits.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "heddle/lens/places.hpp"
#include "heddle/lens/stats/bootstrap.hpp"
#include "heddle/task/questions.hpp"

namespace heddle {

/// Which logits are compared: Δ = logit(other) − logit(own) at this position of the answer.
struct PatchContrast {
  Index position = 0;
  std::int32_t own = 0, other = 0;
};

/// Question i is patched with values from donor i and, where there are controls, from control i.
struct PatchQuestions {
  Questions own, donors, controls;
  std::vector<PatchContrast> contrasts;

  bool has_controls() const { return controls.size() > 0; }
};

/// Δ, question by question.
struct PatchDifferences {
  std::vector<double> own, donor, control;  ///< of whole runs
  /// [place] one place taken from the donor, or from the control.
  std::vector<std::vector<double>> patched, controlled;
};
/// `alive` is called again and again; may throw.
PatchDifferences measure_patches(const Member& member, const PatchQuestions& questions,
                                 std::span<const Place> places, Team& team,
                                 const std::function<void()>& alive);

/// A share with its 95 % interval.
struct MovedShare {
  double share = 0, low = 0, high = 0;
};

/// What there is to move between some questions and their donors.
class PatchRange {
 public:
  PatchRange(std::span<const double> own, std::span<const double> donor);

  /// The member tells both apart: the mean difference is above 0 (95 %).
  bool told_apart() const { return told_apart_; }
  std::size_t size() const { return swing_.size(); }
  /// Σ (Δ_patched − Δ_own) / Σ (Δ_donor − Δ_own), a ratio of means, since the ratios of single
  /// questions with a small difference would drown the rest. NaN where they are not told apart or
  /// nothing was patched.
  MovedShare share(std::span<const double> patched, const Bootstrap& bootstrap) const;

 private:
  std::span<const double> own_;
  std::vector<double> swing_;
  bool told_apart_ = false;
};

}  // namespace heddle
