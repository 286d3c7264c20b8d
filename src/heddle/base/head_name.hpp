// Names of heads, "decoder.1.cross.head.0", and of the attentions that they belong to.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace heddle {

/// Such a name taken apart; heads are ordered as data passes them.
struct HeadName {
  bool decoder = false;  ///< of the decoder's stack; else of the encoder's
  std::int64_t layer = 0;
  bool cross = false;        ///< a cross-attention; else a self-attention
  std::int64_t number = -1;  ///< of the head; −1: the whole attention

  std::string_view stack() const { return decoder ? "decoder" : "encoder"; }
  std::string_view attention() const { return cross ? "cross" : "self"; }
  bool is_head() const { return number >= 0; }
  std::string module() const;  ///< "decoder.1.cross"
  std::string text() const;    ///< "decoder.1.cross.head.0", or the module
  friend auto operator<=>(const HeadName&, const HeadName&) = default;
};

/// A head's or an attention's name; nothing for any other text.
std::optional<HeadName> parse_head_name(std::string_view text);

/// "encoder.0.self" of "encoder.0.self.head.3"; any other name stays as it is.
std::string module_of(std::string_view head);

}  // namespace heddle
