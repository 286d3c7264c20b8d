// See encodings.hpp.
#include "heddle/nn/position/encodings.hpp"

namespace heddle {

RelativePtr make_relative(RelativeKind kind, const RelativeSizes& sizes, const Builder& at) {
  switch (kind) {
    case RelativeKind::rope:
      return make_rope(sizes);
    case RelativeKind::alibi:
      return make_alibi(sizes, at);
    case RelativeKind::t5:
      return make_t5(sizes, at);
    case RelativeKind::shaw:
      return make_shaw(sizes, at);
    case RelativeKind::kerple:
      return make_kerple(sizes, at);
    case RelativeKind::fire:
      return make_fire(sizes, at);
    case RelativeKind::none:
      break;
  }
  if (sizes.direction == Direction::both) return nullptr;
  return std::make_shared<const Relative>(sizes);
}

}  // namespace heddle
