// Arrays as NumPy reads them: the bytes of a small archive, and what the writer refuses.
#include "heddle/tensor/npz.hpp"

#include <cstring>
#include <numeric>
#include <vector>

#include <gtest/gtest.h>

#include "heddle/base/text.hpp"
#include "heddle/tensor/checksum.hpp"
#include "tests/unit/base/temp_folder.hpp"

namespace heddle {
namespace {

template <class T>
T field(const std::string& text, std::size_t at) {
  T value{};
  std::memcpy(&value, text.data() + at, sizeof value);
  return value;
}

std::span<const float> floats(const std::vector<float>& numbers) {
  return numbers;
}

class Npz : public ::testing::Test {
 protected:
  std::string path() const { return folder_ / "x.npz"; }
  TempFolder folder_;
};

TEST_F(Npz, Checksums) {
  const std::string text = "123456789";
  const auto bytes = std::as_bytes(std::span(text));
  EXPECT_EQ(crc32(bytes, 0), 0xCBF43926U);  // the check value of the CRC's definition
  EXPECT_EQ(crc32(bytes.subspan(4), crc32(bytes.first(4), 0)), 0xCBF43926U);
  std::string much(4099, '\0');
  std::iota(much.begin(), much.end(), '\0');
  const auto all = std::as_bytes(std::span(much));
  std::uint32_t slow = 0;
  for (std::size_t i = 0; i < all.size(); ++i) slow = crc32(all.subspan(i, 1), slow);
  EXPECT_EQ(crc32(all, 0), slow);
  EXPECT_NE(checksum64("a", 0), checksum64(std::string_view("a\0", 2), 0));
  EXPECT_NE(checksum64("ab", checksum64("c", 0)), checksum64("b", checksum64("ca", 0)));
}

TEST_F(Npz, LayoutOfOneArray) {
  NpzWriter writer(path());
  writer.add("acts", {2, 3}, floats({0, 1, 2, 3, 4, 5}));
  writer.commit();
  const std::string file = read_file(path());
  // Local header, its name, then the .npy with its numbers at a multiple of 64.
  EXPECT_EQ(field<std::uint32_t>(file, 0), 0x04034B50U);
  EXPECT_EQ(file.substr(30, 8), "acts.npy");
  const std::string npy = file.substr(38, 128 + 24);
  EXPECT_EQ(npy.substr(0, 10), std::string("\x93NUMPY\1\0\x76\0", 10));
  EXPECT_EQ(npy.substr(10, 57), "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3,)");
  EXPECT_EQ(npy[127], '\n');
  EXPECT_EQ(field<float>(npy, 128 + 20), 5.0F);
  EXPECT_EQ(field<std::uint32_t>(file, 14), crc32(std::as_bytes(std::span(npy)), 0));
  EXPECT_EQ(field<std::uint32_t>(file, 18), npy.size());
  EXPECT_EQ(field<std::uint32_t>(file, 22), npy.size());
  // The directory follows at once and says the same; the end of the archive points to it.
  const std::size_t directory = 38 + npy.size();
  EXPECT_EQ(field<std::uint32_t>(file, directory), 0x02014B50U);
  EXPECT_EQ(file.substr(directory + 16, 12), file.substr(14, 12));
  const std::size_t end = file.size() - 22;
  EXPECT_EQ(field<std::uint32_t>(file, end), 0x06054B50U);
  EXPECT_EQ(field<std::uint16_t>(file, end + 10), 1U);
  EXPECT_EQ(field<std::uint32_t>(file, end + 16), directory);
}

TEST_F(Npz, PiecesGiveTheSameBytesAsOneCall) {
  std::vector<std::int32_t> numbers(100'000);
  std::iota(numbers.begin(), numbers.end(), -50'000);
  const std::span<const std::int32_t> all(numbers);
  NpzWriter whole(folder_ / "whole");
  whole.add("tokens", {1000, 100}, all);
  whole.add("w", Tensor::zeros({}, DType::f64));
  whole.commit();
  NpzWriter pieces(folder_ / "pieces");
  pieces.begin("tokens", {1000, 100}, NpyType::i32);
  for (std::size_t i = 0; i < all.size(); i += 100) pieces.append(all.subspan(i, 100));
  pieces.end();
  pieces.add("w", Tensor::zeros({}, DType::f64));
  pieces.commit();
  EXPECT_EQ(read_file(folder_ / "pieces"), read_file(folder_ / "whole"));
}

TEST_F(Npz, ManyArraysNeedTheLargerDirectory) {
  NpzWriter writer(path());
  for (int i = 0; i < 65'536; ++i) writer.add(std::to_string(i), {0}, floats({}));
  writer.commit();
  const std::string file = read_file(path());
  const std::size_t end = file.size() - 22;
  EXPECT_EQ(field<std::uint16_t>(file, end + 10), 0xFFFFU);
  ASSERT_EQ(field<std::uint32_t>(file, end - 20), 0x07064B50U);
  const auto end64 = field<std::uint64_t>(file, end - 12);
  EXPECT_EQ(field<std::uint32_t>(file, end64), 0x06064B50U);
  EXPECT_EQ(field<std::uint64_t>(file, end64 + 32), 65'536U);
}

TEST_F(Npz, TextsAreNumPysOwn) {
  const std::vector<std::string> texts{"a", "", "héλ", "\xF0\x9F\x98\x80"};
  NpzWriter file(path());
  file.add_texts("words", texts);
  file.commit();
  const std::string bytes = read_file(path());
  EXPECT_NE(bytes.find("'descr': '<U3'"), std::string::npos);
  EXPECT_NE(bytes.find("'shape': (4,)"), std::string::npos);
  const std::u32string wanted{U'a', 0, 0, 0, 0, 0, U'h', U'\u00e9', U'\u03bb', U'\U0001F600', 0, 0};
  const std::string_view raw(reinterpret_cast<const char*>(wanted.data()), wanted.size() * 4);
  EXPECT_NE(bytes.find(raw), std::string::npos);
}

TEST_F(Npz, RefusesMisuseAndLeavesNothing) {
  {
    NpzWriter writer(path());
    writer.add("a", {1}, floats({1}));
    EXPECT_THROW(writer.add("a", {1}, floats({1})), Error);
    EXPECT_THROW(writer.add("", {1}, floats({1})), Error);
    EXPECT_THROW(writer.add("\xff", {1}, floats({1})), Error);
    EXPECT_THROW(writer.add("empty", Tensor()), Error);
    EXPECT_THROW(writer.append(floats({1})), Error);
    EXPECT_THROW(writer.end(), Error);
    writer.begin("b", {3}, NpyType::f32);
    EXPECT_THROW(writer.begin("c", {3}, NpyType::f32), Error);
    writer.append(floats({1, 2}));
    EXPECT_THROW(writer.end(), ShapeError);
    EXPECT_THROW(writer.commit(), Error);
    EXPECT_THROW(writer.append(floats({3, 4})), ShapeError);
    const std::vector<double> wide{3};
    EXPECT_THROW(writer.append(std::span<const double>(wide)), Error);
  }
  EXPECT_TRUE(folder_.names().empty());
}

}  // namespace
}  // namespace heddle
