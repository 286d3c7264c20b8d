// Positions that count digits: which row of its table each token of an addition gets, against the
// formulas written out by hand.
#include <algorithm>

#include <gtest/gtest.h>

#include "heddle/base/index.hpp"
#include "heddle/config/presets.hpp"
#include "tests/support/tensors.hpp"
#include "tests/support/tiny_model.hpp"

namespace heddle::testing {
namespace {

using Rows = std::vector<std::int32_t>;

/// "374+814" and BOS 1 1 8 8: three digits.
Config three_digits(PositionKind position, std::int64_t starts = 1) {
  Config config = tiny_config();
  config.task.digits = 3;
  config.model.position = position;
  config.model.position_starts = starts;
  return config;
}

Tensor weight(const TinyModel& tiny, const std::string& path) {
  const auto& specs = tiny.model().layout().specs();
  const auto found = std::ranges::find(specs, path, &WeightSpec::path);
  return tiny.weights().value(static_cast<WeightId>(found - specs.begin()));
}

/// The rows of these tokens, found by what is added to them: out − token is a row of the table.
Rows rows_read(const Config& config, bool target, const std::vector<std::int32_t>& starts = {}) {
  const TinyModel tiny(config, DType::f64, starts.empty() ? 1 : std::ssize(starts));
  Tokens source = tiny.source(), read = tiny.target();
  if (!starts.empty()) source.starts = read.starts = starts.data();
  const std::string side = target ? "decoder" : "encoder";
  const Tensor token = weight(tiny, side + ".embed.token");
  const Tensor table = weight(tiny, side + ".embed.position");
  Tensor out;
  Edits edits = tiny.edits();
  edits.on(side + ".embed.out", storing(out));
  Pass run(tiny.weights(), &edits);
  Activations at;
  tiny.model().encode(run, source, at);
  tiny.model().decode(run, source, read, at);

  const Tokens& tokens = target ? read : source;
  const Index width = table.dim(1);
  const std::vector<double> sums = numbers_of(out), words = numbers_of(token),
                            places = numbers_of(table);
  Rows rows;
  for (Index i = 0; i < tokens.batch * tokens.length; ++i) {
    std::int32_t found = -1;
    for (Index row = 0; row < table.dim(0); ++row) {
      bool same = true;
      for (Index e = 0; e < width; ++e)
        same = same && sums[to_size(i * width + e)] == words[to_size(tokens.ids[i] * width + e)] +
                                                           places[to_size(row * width + e)];
      if (same) found = static_cast<std::int32_t>(row);
    }
    rows.push_back(found);
  }
  return rows;
}

TEST(DigitPositions, AbacusCountsAnewInEveryNumber) {
  EXPECT_EQ(rows_read(three_digits(PositionKind::abacus), false), (Rows{1, 2, 3, 0, 1, 2, 3}));
  EXPECT_EQ(rows_read(three_digits(PositionKind::abacus), true), (Rows{0, 1, 2, 3, 4}));
}

TEST(DigitPositions, CoupledDigitsOfEqualWeightShareARow) {
  Config config = three_digits(PositionKind::coupled);
  EXPECT_EQ(rows_read(config, false), (Rows{3, 2, 1, 0, 3, 2, 1}));
  EXPECT_EQ(rows_read(config, true), (Rows{0, 4, 3, 2, 1}));
  config.task.order = DigitOrder::least;
  EXPECT_EQ(rows_read(config, false), (Rows{3, 2, 1, 0, 3, 2, 1}));
  EXPECT_EQ(rows_read(config, true), (Rows{0, 1, 2, 3, 4}));
  config.task.bos = BosKind::none;  // the sum's first digit is read, its last is not
  EXPECT_EQ(rows_read(config, true), (Rows{1, 2, 3}));
}

TEST(DigitPositions, AStartMovesTheDigitsOfAProblemAndNothingElse) {
  const Config config = three_digits(PositionKind::coupled, 6);
  EXPECT_EQ(rows_read(config, false, {0, 5}), (Rows{3, 2, 1, 0, 3, 2, 1, 8, 7, 6, 0, 8, 7, 6}));
  EXPECT_EQ(rows_read(config, true, {5, 1}), (Rows{0, 9, 8, 7, 6, 0, 5, 4, 3, 2}));
  EXPECT_THROW((void)rows_read(config, false, {6}), ShapeError);
}

TEST(DigitPositions, BelongToAddition) {
  Config config;
  config.model.position = PositionKind::abacus;
  EXPECT_NO_THROW(validate(config));
  config.model.position = PositionKind::rope;
  EXPECT_THROW(validate(config), UsageError);
  config = default_config(TaskKind::sortedness);
  config.model.position = PositionKind::coupled;
  EXPECT_THROW(validate(config), UsageError);
}

}  // namespace
}  // namespace heddle::testing
