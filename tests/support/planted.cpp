// See planted.hpp. The residual stream holds features in pairs of dimensions, +v and −v, so its
// mean is 0; one of them is a constant so large that a norm divides by almost the same number
// everywhere and, its gain being that number, changes nothing.
#include "tests/support/planted.hpp"

#include <algorithm>
#include <cmath>

#include "heddle/base/check.hpp"
#include "heddle/base/index.hpp"
#include "heddle/task/addition/tokens.hpp"

namespace heddle::testing {
namespace {

constexpr int kWidth = 32, kHeads = 4, kHeadWidth = kWidth / kHeads;
constexpr float kConstant = 4096, kSharp = 400, kGate = 100, kLoud = 10, kOffset = 3;
constexpr int kPlusAt = 2, kSource = 5, kTarget = 4;  // positions: a1 a0 + b1 b0 → s2 s1 s0 EOS

// Features of the encoder's stream and of the decoder's.
constexpr int kAlways = 0, kValue = 1, kFrom = 2, kSum = 7, kCarry = 8;
constexpr int kTo = 1, kX = 5, kDigit = 6;

/// Writes weights by name.
class Hand {
 public:
  explicit Hand(const Weights& weights) : weights_(weights) { std::ranges::fill(numbers(), 0.0F); }

  void put(const std::string& path, int row, int column, float value) {
    const WeightSpec& spec = spec_of(path);
    const Index width = spec.shape[-1];
    numbers()[to_size(spec.offset + row * width + column)] = value;
  }
  /// A row of a table or matrix that writes a feature of the stream.
  void write(const std::string& path, int row, int feature, float value) {
    put(path, row, 2 * feature, value);
    put(path, row, 2 * feature + 1, -value);
  }
  /// A column of a matrix that reads a feature of the stream.
  void read(const std::string& path, int feature, int column, float value) {
    put(path, 2 * feature, column, value);
  }
  void norm(const std::string& path) {
    const float spread = kConstant * std::sqrt(2.0F / kWidth);
    for (int i = 0; i < kWidth; ++i) put(path + ".gain", 0, i, spread);
  }

 private:
  const WeightSpec& spec_of(const std::string& path) const {
    for (const WeightSpec& spec : weights_.layout().specs())
      if (spec.path == path) return spec;
    throw Error("no weight is called " + path);
  }
  std::span<float> numbers() const {
    return {weights_.flat().write_shared<float>(), to_size(weights_.flat().size())};
  }

  const Weights& weights_;
};

/// A head whose queries are of two kinds, each with the keys that it finds.
struct HeadPlan {
  std::string module;
  int head = 0;
  int queries_from = 0;                      // feature of the first query position
  std::vector<bool> first_kind;              // query positions: of the first kind or of the second
  std::vector<int> first_keys, second_keys;  // source positions
  int value = 0, out = 0;                    // features read and written
  float gain = 1;
};

void place_head(Hand& hand, const HeadPlan& plan) {
  const int at = plan.head * kHeadWidth;
  for (std::size_t i = 0; i < plan.first_kind.size(); ++i)
    hand.read(plan.module + ".w_q", plan.queries_from + static_cast<int>(i),
              at + (plan.first_kind[i] ? 0 : 1), kSharp);
  for (const int key : plan.first_keys) hand.read(plan.module + ".w_k", kFrom + key, at, 1);
  for (const int key : plan.second_keys) hand.read(plan.module + ".w_k", kFrom + key, at + 1, 1);
  hand.read(plan.module + ".w_v", plan.value, at, 1);
  hand.write(plan.module + ".w_o", at, plan.out, plan.gain);
}

void build_encoder(Hand& hand) {
  for (int token = 0; token < kVocabulary; ++token) {
    hand.write("encoder.embed.token", token, kAlways, kConstant);
    if (token < 10) hand.write("encoder.embed.token", token, kValue, static_cast<float>(token));
  }
  for (int i = 0; i < kSource; ++i) hand.write("encoder.embed.position", i, kFrom + i, 1);
  for (const char* norm : {"encoder.0.norm_self", "encoder.0.norm_mlp", "encoder.norm"})
    hand.norm(norm);
  place_head(hand, {.module = "encoder.0.self",
                    .head = 1,
                    .queries_from = kFrom,
                    .first_kind = {false, false, true, false, false},
                    .first_keys = {1, 4},
                    .second_keys = {kPlusAt},
                    .value = kValue,
                    .out = kSum,
                    .gain = 2});
  // sum −= relu(sum);  carry = relu(sum − 9) − relu(sum − 10)
  for (int unit = 0; unit < 3; ++unit) hand.read("encoder.0.mlp.w_in", kSum, unit, 1);
  hand.put("encoder.0.mlp.b_in", 0, 1, -9);
  hand.put("encoder.0.mlp.b_in", 0, 2, -10);
  hand.write("encoder.0.mlp.w_out", 0, kSum, -1);
  hand.write("encoder.0.mlp.w_out", 1, kCarry, 1);
  hand.write("encoder.0.mlp.w_out", 2, kCarry, -1);
}

void build_cross(Hand& hand, const PlantedOptions& options) {
  const std::vector<bool> upper{true, true, false, false};  // what says s2 and s1
  place_head(hand, {.module = "decoder.0.cross",
                    .head = 0,
                    .queries_from = kTo,
                    .first_kind = upper,
                    .first_keys = {0, 3},
                    .second_keys = {1, 4},
                    .value = kValue,
                    .out = kX,
                    .gain = 2});
  for (int head = 1; head <= (options.twin ? 2 : 1); ++head)
    place_head(hand, {.module = "decoder.0.cross",
                      .head = head,
                      .queries_from = kTo,
                      .first_kind = upper,
                      .first_keys = {kPlusAt},
                      .second_keys = {0},
                      .value = kCarry,
                      .out = kX,
                      .gain = options.twin ? 0.6F : 1.0F});
  if (!options.constant) return;
  hand.put("decoder.0.cross.b_v", 0, 3 * kHeadWidth, kOffset);
  hand.write("decoder.0.cross.w_o", 3 * kHeadWidth, kX, 1);
}

/// Digits out of x, the column's sum with its carry: a triangle around every whole number of 0
/// … 19.
void build_digits(Hand& hand, float offset) {
  const std::string in = "decoder.0.mlp.w_in", bias = "decoder.0.mlp.b_in",
                    out = "decoder.0.mlp.w_out";
  int unit = 0;
  for (int knot = -1; knot <= 20; ++knot, ++unit) {  // where s1 and s0 are said
    hand.read(in, kX, unit, 1);
    hand.read(in, kTo, unit, -kGate);
    hand.read(in, kTo + 3, unit, -kGate);
    hand.put(bias, 0, unit, -static_cast<float>(knot) - offset);
    std::array<float, 10> slopes{};
    for (const auto& [centre, slope] : {std::pair(knot + 1, 1.0F), {knot, -2.0F}, {knot - 1, 1.0F}})
      if (centre >= 0 && centre < 20) slopes[to_size(centre % 10)] += slope * kLoud;
    for (int digit = 0; digit < 10; ++digit)
      hand.write(out, unit, kDigit + digit, slopes[to_size(digit)]);
  }
  for (const int knot : {9, 10}) {  // where s2 is said: 1 from 10 on
    hand.read(in, kX, unit, 1);
    hand.read(in, kTo, unit, kGate);
    hand.put(bias, 0, unit, -static_cast<float>(knot) - kGate - offset);
    const float sign = knot == 9 ? kLoud : -kLoud;
    hand.write(out, unit, kDigit, -sign);
    hand.write(out, unit++, kDigit + 1, sign);
  }
  hand.read(in, kTo, unit, 1);
  hand.write(out, unit, kDigit, kLoud);
}

void build_decoder(Hand& hand, const PlantedOptions& options) {
  constexpr float kSilent = -50, kEnd = 50;
  for (int token = 0; token < kVocabulary; ++token)
    hand.write("decoder.embed.token", token, kAlways, kConstant);
  for (int i = 0; i < kTarget; ++i) hand.write("decoder.embed.position", i, kTo + i, 1);
  for (const char* norm :
       {"decoder.0.norm_self", "decoder.0.norm_cross", "decoder.0.norm_mlp", "decoder.norm"})
    hand.norm(norm);
  build_cross(hand, options);
  build_digits(hand, options.constant ? kOffset : 0);
  for (int digit = 0; digit < 10; ++digit) hand.read("unembed.w", kDigit + digit, digit, 1);
  hand.read("unembed.w", kTo + 3, kEos, kEnd);
  for (const int token : {kPlus, kPad, kBos}) hand.put("unembed.b", 0, token, kSilent);
}

}  // namespace

Member planted_adder(const PlantedOptions& options) {
  Config config;
  config.task.digits = 2;
  config.model.d_model = kWidth;
  config.model.d_ff = kWidth;
  config.model.heads = kHeads;
  config.model.encoder_layers = config.model.decoder_layers = 1;
  Member member = make_member(config);
  Hand hand(member.weights);
  build_encoder(hand);
  build_decoder(hand, options);
  member.weights.pack();
  return member;
}

bool planted_right(const Problem& problem, bool column, bool carry) {
  const int units = problem.a[0] + problem.b[0], tens = problem.a[1] + problem.b[1];
  const int from_units = carry && units >= 10 ? 1 : 0;
  const int x = (column ? tens : 0) + from_units, y = column ? units : 0;
  const int said = (x >= 10 ? 100 : 0) + 10 * (x % 10) + y % 10;
  return said == 10 * tens + units;
}

}  // namespace heddle::testing
