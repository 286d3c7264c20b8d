// Weights on disk: names, shapes, and one line of error for a file that does not fit.
#include "heddle/model/checkpoint.hpp"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "heddle/base/file.hpp"
#include "heddle/config/load.hpp"
#include "heddle/model/member.hpp"
#include "tests/support/tensors.hpp"
#include "tests/support/tiny_model.hpp"
#include "tests/unit/base/temp_folder.hpp"

namespace heddle::testing {
namespace {

class Checkpoint : public ::testing::Test {
 protected:
  std::string path() const { return folder / "model.safetensors"; }
  std::string refusal(const Config& config) const {
    const auto other = build_model(config);
    Weights weights(other->layout(), DType::f32);
    return message_of<FileError>([&] { load_weights(path(), weights); });
  }

  TempFolder folder;
  TinyModel tiny{tiny_config()};
};

TEST_F(Checkpoint, HoldsEveryWeightUnderItsTapsName) {
  save_weights(path(), tiny.weights(), {});
  const SafetensorsFile file = read_safetensors(path());
  EXPECT_EQ(file.tensors.size(), tiny.weights().layout().specs().size());
  for (const TapPoint& point : tiny.model().taps().points()) {
    if (!point.is_weight) continue;
    ASSERT_NE(file.find(point.path), nullptr) << point.path;
    EXPECT_TRUE(file.find(point.path)->shape() == point.shape) << point.path;
  }
  EXPECT_TRUE(file.find("encoder.0.mlp.w_in")->shape() == (Shape{8, 12}));  // [in, out]
}

TEST_F(Checkpoint, OfAnotherShapeIsRefused) {
  save_weights(path(), tiny.weights(), {});
  Config wide = tiny_config(), deep = tiny_config(), flat = tiny_config();
  wide.model.d_ff = 13;
  deep.model.encoder_layers = 2;
  flat.model.position = PositionKind::none;
  EXPECT_NE(refusal(wide).find("'encoder.0.mlp.w_in' has shape [8, 12]"), std::string::npos);
  EXPECT_NE(refusal(deep).find("no tensor 'encoder.1."), std::string::npos) << refusal(deep);
  EXPECT_NE(refusal(flat).find("tensors"), std::string::npos) << refusal(flat);
  for (const Config& config : {wide, deep, flat})
    EXPECT_EQ(refusal(config).find('\n'), std::string::npos);
}

TEST_F(Checkpoint, ConvertsBetweenPrecisions) {
  save_weights(path(), tiny.weights(), {});
  Weights wide(tiny.model().layout(), DType::f64);
  load_weights(path(), wide);
  EXPECT_TRUE(same_bits(converted(wide.flat(), DType::f32), tiny.weights().flat()));
}

TEST_F(Checkpoint, NumbersThatAreNoneAreRefused) {
  for (const float none :
       {std::numeric_limits<float>::quiet_NaN(), -std::numeric_limits<float>::infinity()}) {
    const Tensor bad = tiny.weights().value(3);
    const float before = *bad.data<float>();
    *bad.write_shared<float>() = none;
    save_weights(path(), tiny.weights(), {});
    *bad.write_shared<float>() = before;
    const std::string& name = tiny.weights().layout().specs()[3].path;
    EXPECT_EQ(refusal(tiny_config()), "'" + path() + "': '" + name + "' has 1 of " +
                                          std::to_string(bad.size()) +
                                          " numbers that are NaN or infinite");
    write_file(folder / "config.json", config_json(tiny_config()));
    EXPECT_THROW((void)load_member(folder.path()), FileError);
    const Member seen = load_member(folder.path(), "model.safetensors", Finite::as_they_are);
    EXPECT_FALSE(std::isfinite(*seen.weights.value(3).data<float>()));
  }
}

TEST_F(Checkpoint, AMissingFileIsAnError) {
  EXPECT_NE(refusal(tiny_config()).find("model.safetensors"), std::string::npos);
  EXPECT_THROW(load_member(folder.path()), FileError);
}

}  // namespace
}  // namespace heddle::testing
