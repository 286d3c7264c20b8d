// Files of other programs: every usual number format is read exactly, everything else refused.
#include "heddle/tensor/foreign.hpp"

#include <cmath>
#include <cstring>
#include <fstream>

#include <gtest/gtest.h>

#include "heddle/base/check.hpp"
#include "heddle/base/index.hpp"
#include "tests/unit/base/temp_folder.hpp"

namespace heddle {
namespace {

/// The bytes of numbers as a file holds them.
template <class T>
std::string bytes_of(const std::vector<T>& numbers) {
  std::string bytes(numbers.size() * sizeof(T), '\0');
  std::memcpy(bytes.data(), numbers.data(), bytes.size());
  return bytes;
}

class Foreign : public ::testing::Test {
 protected:
  /// A file with one tensor "w".
  void put(const std::string& dtype, std::size_t count, const std::string& bytes) const {
    const std::string header = R"({"w":{"dtype":")" + dtype + R"(","shape":[)" +
                               std::to_string(count) + R"(],"data_offsets":[0,)" +
                               std::to_string(bytes.size()) + "]}}";
    std::ofstream(path(), std::ios::binary)
        << bytes_of(std::vector<std::uint64_t>{header.size()}) << header << bytes;
  }
  std::vector<double> numbers() const {
    const ForeignFile file = read_foreign(path());
    const Tensor all = file.tensors.at(0).numbers();
    return {all.flat<double>().begin(), all.flat<double>().end()};
  }
  template <class T>
  std::vector<double> read_back(const std::string& dtype, const std::vector<T>& stored) const {
    put(dtype, stored.size(), bytes_of(stored));
    return numbers();
  }
  std::string path() const { return folder_ / "x"; }

  TempFolder folder_;
};

using Numbers = std::vector<double>;

TEST_F(Foreign, EveryFormatIsReadExactly) {
  EXPECT_EQ(read_back<float>("F32", {0.1F, -3.5F}), (Numbers{static_cast<double>(0.1F), -3.5}));
  EXPECT_EQ(read_back<double>("F64", {0.1, -1e300}), (Numbers{0.1, -1e300}));
  EXPECT_EQ(read_back<std::int8_t>("I8", {-128, 127}), (Numbers{-128, 127}));
  EXPECT_EQ(read_back<std::int16_t>("I16", {-32768, 3}), (Numbers{-32768, 3}));
  EXPECT_EQ(read_back<std::int32_t>("I32", {-2147483647, 3}), (Numbers{-2147483647, 3}));
  EXPECT_EQ(read_back<std::int64_t>("I64", {-(1LL << 53), 1LL << 53}), (Numbers{-0x1p53, 0x1p53}));
  EXPECT_EQ(read_back<std::uint8_t>("U8", {255, 0}), (Numbers{255, 0}));
  EXPECT_EQ(read_back<std::uint16_t>("U16", {65535}), (Numbers{65535}));
  EXPECT_EQ(read_back<std::uint32_t>("U32", {4294967295U}), (Numbers{4294967295.0}));
  EXPECT_EQ(read_back<std::uint64_t>("U64", {7}), (Numbers{7}));
  EXPECT_EQ(read_back<std::uint8_t>("BOOL", {1, 0}), (Numbers{1, 0}));
}

/// From the definitions: 1 sign, 5 exponent, 10 fraction bits with bias 15; the upper half of a
/// float.
TEST_F(Foreign, HalvesAreWidenedBitByBit) {
  EXPECT_EQ(
      read_back<std::uint16_t>("F16", {0x3c00, 0xc000, 0x3555, 0x7bff, 0x0001, 0x0400, 0x8000}),
      (Numbers{1, -2, 0x555p-12, 65504, 0x1p-24, 0x1p-14, -0.0}));
  EXPECT_EQ(read_back<std::uint16_t>("BF16", {0x3f80, 0xc040, 0x3eab, 0x0001}),
            (Numbers{1, -3, 0xabp-9, 0x1p-133}));
  const Numbers odd = read_back<std::uint16_t>("F16", {0x7c00, 0xfc00, 0x7e00, 0x8000});
  EXPECT_EQ(odd[0], HUGE_VAL);
  EXPECT_EQ(odd[1], -HUGE_VAL);
  EXPECT_TRUE(std::isnan(odd[2]));
  EXPECT_TRUE(std::signbit(odd[3]));
}

TEST_F(Foreign, SaysWhatItsNumbersAre) {
  for (const auto& [dtype, unit, bytes] :
       {std::tuple("F32", 0x1p-24, 4), std::tuple("F64", 0x1p-53, 8), std::tuple("F16", 0x1p-11, 2),
        std::tuple("BF16", 0x1p-8, 2), std::tuple("I64", 0.0, 8), std::tuple("BOOL", 0.0, 1)}) {
    put(dtype, 1, std::string(to_size(bytes), '\0'));
    const ForeignFile file = read_foreign(path());
    ASSERT_NE(file.find("w"), nullptr);
    EXPECT_EQ(file.find("w")->rounding(), unit) << dtype;
    EXPECT_EQ(file.find("w")->floating(), unit > 0) << dtype;
    EXPECT_EQ(safetensors::stored_name(file.find("w")->stored), dtype);
  }
  EXPECT_EQ(read_foreign(path()).find("v"), nullptr);
  EXPECT_EQ(read_foreign(path()).names(), std::vector<std::string>{"w"});
}

TEST_F(Foreign, TheHashIsThatOfTheBytes) {
  put("I32", 1, std::string(4, '\1'));
  const std::string first = read_foreign(path()).hash;
  EXPECT_EQ(first.size(), 16U);
  EXPECT_EQ(read_foreign(path()).hash, first);
  put("I32", 1, std::string(3, '\1') + '\2');
  EXPECT_NE(read_foreign(path()).hash, first);
}

TEST_F(Foreign, WhatIsNotSoundIsRefusedInOneLine) {
  const auto refusal = [&] { return message_of<FileError>([&] { numbers(); }); };
  const std::string start = "'" + path() + "' is not a sound safetensors file: ";
  put("F8_E4M3", 1, "x");
  EXPECT_EQ(refusal(), start +
                           "tensor 'w' has the dtype 'F8_E4M3'; accepted are F32, F64, F16, BF16, "
                           "I8, I16, I32, I64, U8, U16, U32, U64 and BOOL");
  put("BF16", 3, "xxxx");
  EXPECT_EQ(refusal(), start + "tensor 'w' has 4 bytes; its shape [3] in BF16 needs 6");
  put("I64", 1, bytes_of(std::vector<std::int64_t>{(1LL << 53) + 2}));
  EXPECT_EQ(refusal(), "tensor 'w' holds 9007199254740994; accepted is at most 2^53");
  put("I64", 1, std::string(8, '\0'));
  std::filesystem::resize_file(path(), std::filesystem::file_size(path()) - 1);
  EXPECT_EQ(refusal(), start +
                           "tensor 'w' has the data_offsets [0, 8]; accepted are rising numbers "
                           "up to 7");
}

}  // namespace
}  // namespace heddle
