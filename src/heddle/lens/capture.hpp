// Activations and weights as arrays in an .npz file, for NumPy.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "heddle/lens/watch.hpp"

namespace heddle {

/// Something with a name that can be captured: a tap, one head's slice of a tap, or a weight.
struct CaptureArray {
  std::string name;  ///< "encoder.0.self.pattern", "encoder.0.self.head.3", "encoder.0.self.w_q"
  TapId tap = -1;
  Index head = -1;  ///< −1: all of it
  bool is_weight = false;
  std::vector<Axis> axes;
  Shape shape;  ///< for one problem: the batch axis is 1
};

/// What the patterns name, each once, in the order given. As for edits, "….head.3" is a slice of z.
/// TapError with near names for a pattern that matches nothing.
std::vector<CaptureArray> find_arrays(const Member& member, std::span<const std::string> patterns);
/// The same with shapes as tap_shapes gives them.
std::vector<CaptureArray> find_arrays(const TapTable& taps, std::vector<Shape> shapes,
                                      std::span<const std::string> patterns);

/// Every tap, then every head's z, as far as their names match; shapes as tap_shapes gives them.
std::vector<CaptureArray> list_arrays(const TapTable& taps, std::vector<Shape> shapes,
                                      std::string_view pattern);
inline std::vector<CaptureArray> list_arrays(const Member& member, std::string_view pattern) {
  return list_arrays(member.model->taps(), tap_shapes(member), pattern);
}

/// Writes the arrays to `path`, whole or not at all, with "tokens.words" (`words`: what each token
/// id stands for), "tokens.source" and, of a decoder, "tokens.target" on top; where questions are
/// padded, "valid.source" has 0 for padding. The arrays must have been found with the shapes of
/// these questions. What does not fit in a little memory is streamed, at the price of more passes.
/// `progress` counts problems times passes and may throw.
void capture_arrays(const Member& member, const Decoded& decoded,
                    std::span<const CaptureArray> arrays, std::span<const std::string> words,
                    const std::string& path, const DecodeProgress& progress = {});

}  // namespace heddle
