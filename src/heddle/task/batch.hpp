// What a training or scoring step reads: token ids of many examples, row by row.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "heddle/base/index.hpp"
#include "heddle/task/shape.hpp"
#include "heddle/tensor/view.hpp"

namespace heddle {

/// Filled again and again: once it has held its largest size, filling allocates nothing.
struct Batch {
  Index size = 0;
  Index source_length = 0;
  Index target_length = 0;
  std::vector<std::int32_t> source;  ///< [size, source_length] what the encoder reads
  std::vector<std::uint8_t>
      source_valid{};                    ///< [size, source_length], 0 = padding; empty: no padding
  std::vector<std::int32_t> target_in;   ///< [size, target_length] what the decoder reads
  std::vector<std::int32_t> target_out;  ///< [size, target_length] what it should say, or kNoTarget

  void resize(Index rows, Index source_tokens, Index target_tokens) {
    size = rows;
    source_length = source_tokens;
    target_length = target_tokens;
    source.resize(to_size(rows * source_tokens));
    target_in.resize(to_size(rows * target_tokens));
    target_out.resize(to_size(rows * target_tokens));
  }

  std::span<std::int32_t> source_row(Index row) { return slice(source, row, source_length); }
  std::span<std::int32_t> target_in_row(Index row) { return slice(target_in, row, target_length); }
  std::span<std::int32_t> target_out_row(Index row) {
    return slice(target_out, row, target_length);
  }
  std::span<const std::int32_t> source_row(Index row) const {
    return slice(source, row, source_length);
  }
  std::span<const std::int32_t> target_in_row(Index row) const {
    return slice(target_in, row, target_length);
  }
  std::span<const std::int32_t> target_out_row(Index row) const {
    return slice(target_out, row, target_length);
  }

 private:
  template <class Tokens>
  static auto slice(Tokens& tokens, Index row, Index length)
      -> decltype(std::span(tokens.data(), tokens.size())) {
    return {tokens.data() + row * length, to_size(length)};
  }
};

}  // namespace heddle
