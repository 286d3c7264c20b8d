// The encodings that act inside attention, one file each; make_relative chooses.
#pragma once

#include "heddle/nn/position/relative.hpp"

namespace heddle {

using RelativePtr = std::shared_ptr<const Relative>;

RelativePtr make_rope(const RelativeSizes& sizes);
RelativePtr make_alibi(const RelativeSizes& sizes, const Builder& at);
RelativePtr make_t5(const RelativeSizes& sizes, const Builder& at);
RelativePtr make_shaw(const RelativeSizes& sizes, const Builder& at);
RelativePtr make_kerple(const RelativeSizes& sizes, const Builder& at);
RelativePtr make_fire(const RelativeSizes& sizes, const Builder& at);

}  // namespace heddle
