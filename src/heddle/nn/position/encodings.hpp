// The encodings that act inside attention, one file each: their names, and make_relative chooses.
#pragma once

#include <cstdint>
#include <memory>

#include "heddle/base/names.hpp"
#include "heddle/nn/position/relative.hpp"

namespace heddle {

enum class RelativeKind : std::uint8_t { none, rope, alibi, t5, shaw, kerple, fire };
constexpr Names<7> names_of(RelativeKind) {
  return {"none", "rope", "alibi", "t5", "shaw", "kerple", "fire"};
}

using RelativePtr = std::shared_ptr<const Relative>;

RelativePtr make_rope(const RelativeSizes& sizes);
RelativePtr make_alibi(const RelativeSizes& sizes, const Builder& at);
RelativePtr make_t5(const RelativeSizes& sizes, const Builder& at);
RelativePtr make_shaw(const RelativeSizes& sizes, const Builder& at);
RelativePtr make_kerple(const RelativeSizes& sizes, const Builder& at);
RelativePtr make_fire(const RelativeSizes& sizes, const Builder& at);

/// Weights are made under `at` ("encoder.0.self" gives "encoder.0.self.slopes"). Null where nothing
/// acts: kind none that looks both ways.
RelativePtr make_relative(RelativeKind kind, const RelativeSizes& sizes, const Builder& at);

}  // namespace heddle
