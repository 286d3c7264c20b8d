// Positions added to inputs: rows for any place, however far.
#include <cmath>

#include <gtest/gtest.h>

#include "heddle/base/index.hpp"
#include "heddle/nn/embedding.hpp"
#include "tests/support/tensors.hpp"

namespace heddle::testing {
namespace {

/// What an encoding adds to these tokens: [token][feature].
std::vector<std::vector<double>> added(const Position& position, const Tokens& tokens,
                                       DType dtype = DType::f64) {
  const Blueprint blueprint;
  const Weights none(blueprint.weights, Tensor::zeros({0}, dtype));
  heddle::Run run(none);
  const PositionRows rows = position.rows(run, tokens, dtype);
  const std::vector<double> table = numbers_of(rows.table.value);
  const auto width = to_size(rows.table.value.dim(1));
  std::vector<std::vector<double>> out;
  for (Index i = 0; i < tokens.batch * tokens.length; ++i) {
    const auto row = table.begin() + static_cast<std::ptrdiff_t>(width) * rows.ids.data()[i];
    out.emplace_back(row, row + static_cast<std::ptrdiff_t>(width));
  }
  return out;
}

double formula(double place, std::size_t e, double width) {
  const double angle = place * std::pow(10000, -static_cast<double>(e / 2 * 2) / width);
  return e % 2 == 0 ? std::sin(angle) : std::cos(angle);
}

/// The angle is rounded once more than the formula's: by one unit of the place.
void expect_place(const std::vector<double>& row, double place) {
  for (std::size_t e = 0; e < row.size(); ++e)
    ASSERT_NEAR(row[e], formula(place, e, static_cast<double>(row.size())),
                (4 + 2 * place) * kUnit64)
        << place << " " << e;
}

TEST(Position, SinusoidalServesEveryPlace) {
  const Position position = Position::sinusoidal(4, 6);
  for (const Index offset : {0, 3, 9, 8190, 16380, 100000}) {
    const auto rows = added(position, {.batch = 2, .length = 5, .offset = offset});
    for (std::size_t i = 0; i < 10; ++i)
      expect_place(rows[i], static_cast<double>(offset) + static_cast<double>(i % 5));
  }
  const auto narrow = added(position, {.batch = 1, .length = 1, .offset = 7}, DType::f32);
  EXPECT_EQ(narrow[0][2], static_cast<double>(static_cast<float>(formula(7, 2, 6))));
}

TEST(Position, PlacesCanBeGiven) {
  const std::vector<std::int32_t> places{5, 0, 700, 20000, 1, 1};
  const Position position = Position::sinusoidal(8, 4);
  const auto rows = added(position, {.batch = 3, .length = 2, .places = places.data()});
  for (std::size_t i = 0; i < 6; ++i) expect_place(rows[i], static_cast<double>(places[i]));
  const std::vector<std::int32_t> negative{-1};
  EXPECT_THROW((void)added(position, {.batch = 1, .length = 1, .places = negative.data()}),
               ShapeError);
}

TEST(Position, NormalisedRunsFromNothingToSixteen) {
  const std::vector<std::uint8_t> valid{1, 1, 1, 1, 1, 1, 1, 1, 0, 0, 1, 0, 0, 0, 0, 0, 1, 1, 0, 1};
  const auto rows =
      added(Position::normalised(6), {.batch = 4, .length = 5, .valid = valid.data()});
  for (std::size_t i = 0; i < 5; ++i) expect_place(rows[i], 4 * static_cast<double>(i));
  for (std::size_t i = 0; i < 3; ++i) expect_place(rows[5 + i], 8 * static_cast<double>(i));
  expect_place(rows[10], 0);
  expect_place(rows[16], 0);
  expect_place(rows[17], 8);
  expect_place(rows[19], 16);
}

TEST(Position, LearnedSaysWhatHappensPastItsEnd) {
  for (const PastEnd past : {PastEnd::clamp, PastEnd::untrained, PastEnd::reject}) {
    Blueprint blueprint;
    const Position position = Position::learned(Builder(blueprint), 4, 2, past);
    Weights weights(blueprint.weights, DType::f64);
    weights.initialise(1);
    heddle::Run run(weights);
    const std::vector<std::int32_t> places{3, 4, 100};
    const Tokens tokens{.batch = 1, .length = 3, .places = places.data()};
    if (past == PastEnd::reject) {
      EXPECT_THROW((void)position.rows(run, tokens, DType::f64), ShapeError);
      continue;
    }
    const PositionRows rows = position.rows(run, tokens, DType::f64);
    const bool clamp = past == PastEnd::clamp;
    EXPECT_EQ(rows.ids.data()[0], 3);
    EXPECT_EQ(rows.ids.data()[1], clamp ? 3 : 4);
    EXPECT_EQ(rows.ids.data()[2], clamp ? 3 : 100);
  }
}

}  // namespace
}  // namespace heddle::testing
