// Settings with a few named values: the enums and, beside each, its names.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "heddle/base/names.hpp"

namespace heddle {

/// `file`: whatever the user's file holds.
enum class TaskKind : std::uint8_t { addition, sortedness, reverse, sort, modular, file };
constexpr Names<6> names_of(TaskKind) {
  return {"addition", "sortedness", "reverse", "sort", "modular", "file"};
}

/// What kind of model: model/families.cpp builds each of them.
enum class FamilyKind : std::uint8_t { by_task, encoder_decoder, classifier };
constexpr Names<3> names_of(FamilyKind) {
  return {"by-task", "encoder-decoder", "classifier"};
}

/// What an example asks for: a sequence, or one label.
enum class FormKind : std::uint8_t { pairs, labels };
constexpr Names<2> names_of(FormKind) {
  return {"pairs", "labels"};
}

/// words: what stands between white space. characters: each UTF-8 character (code point) is a
/// token, white space inside the text too, as a space; at either end of the text it is cut off.
enum class TokenKind : std::uint8_t { words, characters };
constexpr Names<2> names_of(TokenKind) {
  return {"words", "characters"};
}

/// What a file of examples is written in: the ending of its path.
enum class ExampleFile : std::uint8_t { csv, tsv, jsonl };
constexpr Names<3> names_of(ExampleFile) {
  return {"csv", "tsv", "jsonl"};
}
/// None where the ending is another.
constexpr std::optional<ExampleFile> example_file(std::string_view path) {
  const std::size_t dot = path.rfind('.');
  const auto names = names_of(ExampleFile{});
  for (std::size_t i = 0; dot != std::string_view::npos && i < names.size(); ++i)
    if (path.substr(dot + 1) == names[i]) return static_cast<ExampleFile>(i);
  return {};
}

/// Which digit of the sum comes out first.
enum class DigitOrder : std::uint8_t { most, least };
constexpr Names<2> names_of(DigitOrder) {
  return {"most", "least"};
}

enum class DataSource : std::uint8_t { stream, fixed };
constexpr Names<2> names_of(DataSource) {
  return {"stream", "fixed"};
}

/// What the decoder starts from; `none` reproduces the reports' defect.
enum class BosKind : std::uint8_t { token, none };
constexpr Names<2> names_of(BosKind) {
  return {"token", "none"};
}

/// What fills up and is ignored; `zero` reproduces report C's defect.
enum class PadKind : std::uint8_t { token, zero };
constexpr Names<2> names_of(PadKind) {
  return {"token", "zero"};
}

enum class NormKind : std::uint8_t { pre, post };
constexpr Names<2> names_of(NormKind) {
  return {"pre", "post"};
}

/// A layer norm after the last block of a stack; `by_norm`: where norms stand before each sublayer.
enum class FinalNormKind : std::uint8_t { by_norm, yes, no };
constexpr Names<3> names_of(FinalNormKind) {
  return {"by-norm", "yes", "no"};
}

enum class ActivationKind : std::uint8_t { relu, gelu };
constexpr Names<2> names_of(ActivationKind) {
  return {"relu", "gelu"};
}

/// How a sorted sequence is spoilt.
enum class NegativeKind : std::uint8_t { swaps, shuffle, adjacent, distant, dip, reverse, rotate };
constexpr Names<7> names_of(NegativeKind) {
  return {"swaps", "shuffle", "adjacent", "distant", "dip", "reverse", "rotate"};
}

/// Where the values of a sequence come from; `mixed`: half of the sequences each.
enum class ValueKind : std::uint8_t { uniform, windowed, mixed };
constexpr Names<3> names_of(ValueKind) {
  return {"uniform", "windowed", "mixed"};
}

/// The first three are added to inputs and any model can have them, the last two to the digits of
/// an addition; the rest belong to classifiers.
enum class PositionKind : std::uint8_t {
  sinusoidal,
  learned,
  none,
  causal,
  random_offset,
  randomised,
  normalised,
  rope,
  alibi,
  t5,
  shaw,
  kerple,
  fire,
  abacus,
  coupled
};
constexpr Names<15> names_of(PositionKind) {
  return {"sinusoidal", "learned",    "none", "causal", "random-offset",
          "randomised", "normalised", "rope", "alibi",  "t5",
          "shaw",       "kerple",     "fire", "abacus", "coupled"};
}
constexpr bool counts_digits(PositionKind position) {
  return position == PositionKind::abacus || position == PositionKind::coupled;
}
/// Whether what it adds is the same for a key ahead of the query as for one as far behind it.
constexpr bool sides_alike(PositionKind position) {
  return position == PositionKind::none || position == PositionKind::alibi ||
         position == PositionKind::kerple;
}

/// Which side of itself a head may look at: `split` gives even heads the past and odd ones the
/// future.
enum class DirectionKind : std::uint8_t { both, split };
constexpr Names<2> names_of(DirectionKind) {
  return {"both", "split"};
}

/// How the tokens of a sequence become one answer; see nn/pooling.hpp.
enum class PoolingSetting : std::uint8_t {
  mean,
  multi,
  max,
  cls,
  attention,
  noisy_or,
  token_max,
  lse
};
constexpr Names<8> names_of(PoolingSetting) {
  return {"mean", "multi", "max", "cls", "attention", "noisy-or", "token-max", "lse"};
}

enum class NormaliserKind : std::uint8_t { softmax, log_n, entmax };
constexpr Names<3> names_of(NormaliserKind) {
  return {"softmax", "log-n", "entmax"};
}

/// What a learned table does past its last trained row.
enum class PastEndKind : std::uint8_t { clamp, untrained, reject };
constexpr Names<3> names_of(PastEndKind) {
  return {"clamp", "untrained", "reject"};
}

enum class ScheduleKind : std::uint8_t { cosine, linear, constant };
constexpr Names<3> names_of(ScheduleKind) {
  return {"cosine", "linear", "constant"};
}

enum class OptimizerKind : std::uint8_t { adamw, adam };
constexpr Names<2> names_of(OptimizerKind) {
  return {"adamw", "adam"};
}

}  // namespace heddle
