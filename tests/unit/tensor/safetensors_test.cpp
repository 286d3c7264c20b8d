// Tensors come back bit for bit, and no file, however wrong, gets further than one line of error.
#include "heddle/tensor/safetensors.hpp"

#include <cmath>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <limits>

#include <gtest/gtest.h>

#include "heddle/base/file.hpp"
#include "tests/support/print_json.hpp"
#include "tests/unit/base/temp_folder.hpp"

namespace heddle {
namespace {

template <class T>
Tensor counted(const Shape& shape, T start) {
  Tensor tensor = Tensor::zeros(shape, dtype_of<T>());
  T* out = tensor.write<T>();
  for (Index i = 0; i < tensor.size(); ++i) out[i] = start + static_cast<T>(i) / T{3};
  return tensor;
}

NamedTensor named(const std::string& name, const Tensor& tensor) {
  return {.name = name, .tensor = tensor};
}

std::vector<NamedTensor> example() {
  Tensor odd = Tensor::zeros({3}, DType::f32);
  odd.write<float>()[0] = std::numeric_limits<float>::quiet_NaN();
  odd.write<float>()[1] = -0.0F;
  odd.write<float>()[2] = std::numeric_limits<float>::denorm_min();
  return {named("z.first", counted<float>({2, 3}, 0.5F)),
          named("a.second", counted<double>({2, 1, 2}, -1.0)), named("odd \"name\" ß", odd),
          named("scalar", counted<double>({}, 7.0)),
          named("nothing", Tensor::zeros({0, 4}, DType::f32))};
}

/// A file around a header and some data, as anybody might write it.
std::string file_text(const std::string& header, std::size_t data_bytes = 0) {
  const std::uint64_t length = header.size();
  std::string text(sizeof length, '\0');
  std::memcpy(text.data(), &length, sizeof length);
  return text + header + std::string(data_bytes, '\0');
}

class Safetensors : public ::testing::Test {
 protected:
  std::string path() const { return folder_ / "x"; }
  void put_text(const std::string& text) const { std::ofstream(path(), std::ios::binary) << text; }
  std::string error_of_file() const {
    return message_of<FileError>([&] { read_safetensors(path()); });
  }
  std::string error_of(const std::string& text) const {
    put_text(text);
    return error_of_file();
  }
  /// The error must hold `part`, the path, and be one line.
  void expect_refused(const std::string& part) const {
    const std::string said = error_of_file();
    EXPECT_NE(said.find(part), std::string::npos) << said;
    EXPECT_TRUE(said.starts_with("'" + path() + "' is not a sound safetensors file: ")) << said;
    EXPECT_EQ(said.find('\n'), std::string::npos) << said;
    EXPECT_LT(said.size(), 600 + path().size());
  }
  void expect_refused(const std::string& text, const std::string& part) const {
    put_text(text);
    expect_refused(part);
  }

  TempFolder folder_;
};

TEST_F(Safetensors, RoundTripKeepsEveryBit) {
  const auto tensors = example();
  write_safetensors(path(), tensors, {{"config", "{\"heads\": 4}"}, {"ü", ""}});
  const SafetensorsFile back = read_safetensors(path());
  EXPECT_EQ(back.metadata, (Metadata{{"config", "{\"heads\": 4}"}, {"ü", ""}}));
  ASSERT_EQ(back.tensors.size(), tensors.size());
  for (std::size_t i = 0; i < tensors.size(); ++i) {
    const auto& [name, tensor] = tensors[i];
    EXPECT_EQ(back.tensors[i].name, name);
    EXPECT_EQ(back.tensors[i].tensor.shape(), tensor.shape());
    ASSERT_EQ(back.tensors[i].tensor.dtype(), tensor.dtype());
    if (tensor.dtype() == DType::f32) {
      EXPECT_EQ(
          std::memcmp(back.tensors[i].tensor.data<float>(), tensor.data<float>(), tensor.bytes()),
          0);
    } else {
      EXPECT_EQ(
          std::memcmp(back.tensors[i].tensor.data<double>(), tensor.data<double>(), tensor.bytes()),
          0);
    }
  }
  EXPECT_EQ(back.find("a.second"), &back.tensors[1].tensor);
  EXPECT_EQ(back.find("b"), nullptr);
}

TEST_F(Safetensors, EqualContentGivesEqualBytes) {
  write_safetensors(path(), example(), {{"a", "1"}, {"b", "2"}});
  const std::string first = read_file(path());
  const SafetensorsFile back = read_safetensors(path());
  write_safetensors(path(), back.tensors, back.metadata);
  EXPECT_EQ(read_file(path()), first);
  std::uint64_t length = 0;
  std::memcpy(&length, first.data(), sizeof length);
  EXPECT_EQ(length % 8, 0U);
}

TEST_F(Safetensors, WindowsAndSharedTensorsAreWritten) {
  const Tensor whole = counted<float>({4, 3}, 0.0F);
  write_safetensors(path(), std::vector{named("w", whole.window(3, {2, 3}))});
  const SafetensorsFile back = read_safetensors(path());
  EXPECT_EQ(back.tensors[0].tensor.data<float>()[0], whole.data<float>()[3]);
}

TEST_F(Safetensors, NoTensorsAtAll) {
  write_safetensors(path(), {});
  EXPECT_TRUE(read_safetensors(path()).tensors.empty());
  EXPECT_EQ(error_of(file_text("{}")), "no error");
}

TEST_F(Safetensors, WriterRefusesWhatNobodyCouldRead) {
  const Tensor one = counted<float>({1}, 0.0F);
  const auto said = [&](const std::string& name, const Tensor& tensor, const Metadata& metadata) {
    return message_of<Error>([&] {
      write_safetensors(path(), std::vector{named("w", one), named(name, tensor)}, metadata);
    });
  };
  EXPECT_NE(said("w", one, {}).find("comes twice"), std::string::npos);
  EXPECT_NE(said("__metadata__", one, {}).find("cannot name"), std::string::npos);
  EXPECT_NE(said("\xff", one, {}).find("cannot name"), std::string::npos);
  EXPECT_NE(said(std::string(1025, 'n'), one, {}).find("cannot name"), std::string::npos);
  EXPECT_NE(said("v", Tensor(), {}).find("holds nothing"), std::string::npos);
  EXPECT_NE(said("v", one, {{"heddle.checksum", ""}}).find("reserved"), std::string::npos);
  EXPECT_NE(said("v", one, {{"a", "\xff"}}).find("UTF-8"), std::string::npos);
  EXPECT_TRUE(folder_.names().empty());
}

TEST_F(Safetensors, EveryTruncationIsRefused) {
  write_safetensors(path(), example(), {{"config", "c"}});
  const std::string whole = read_file(path());
  EXPECT_EQ(error_of(whole), "no error");
  for (std::size_t length = whole.size(); length-- > 0;) {
    std::filesystem::resize_file(path(), length);
    expect_refused("");
  }
  expect_refused(whole + " ", "its tensors end at byte");
}

TEST_F(Safetensors, EveryFlippedBitIsRefused) {
  write_safetensors(path(), example(), {{"config", "c"}});
  const std::string whole = read_file(path());
  std::fstream file(path(), std::ios::in | std::ios::out | std::ios::binary);
  const auto put = [&](std::size_t at, char byte) {
    file.seekp(static_cast<std::streamoff>(at)).put(byte).flush();
  };
  for (std::size_t at = 0; at < whole.size(); ++at) {
    for (int bit = 0; bit < 8; ++bit) {
      put(at, static_cast<char>(whole[at] ^ (1 << bit)));
      const std::string said = error_of_file();
      EXPECT_NE(said, "no error") << "bit " << bit << " of byte " << at;
      EXPECT_EQ(said.find('\n'), std::string::npos) << said;
    }
    put(at, whole[at]);
  }
  EXPECT_EQ(error_of_file(), "no error");
}

TEST_F(Safetensors, FilesOfOthersHaveNoChecksum) {
  const std::string tensor = R"({"b":{"shape":[2],"data_offsets":[0,8],"dtype":"F32"},)"
                             R"("a":{"dtype":"F64","shape":[],"data_offsets":[8,16]}}   )";
  EXPECT_EQ(error_of(file_text(tensor, 16)), "no error");
  // The data may come in another order than the names.
  write_file(path(), file_text(R"({"b":{"dtype":"F32","shape":[1],"data_offsets":[4,8]},)"
                               R"("a":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}})",
                               8));
  const SafetensorsFile back = read_safetensors(path());
  EXPECT_EQ(back.tensors[0].name, "a");
  EXPECT_EQ(back.tensors[1].name, "b");
}

TEST_F(Safetensors, HostileLengths) {
  expect_refused("", "it has 0 bytes; at least 8 are needed");
  std::string text = file_text("{}");
  const std::uint64_t huge = std::uint64_t{1} << 62U;
  std::memcpy(text.data(), &huge, sizeof huge);
  expect_refused(text, "its header claims 4611686018427387904 bytes; 2 follow");
  std::memset(text.data(), 0xFF, sizeof huge);
  expect_refused(text, "its header claims 18446744073709551615 bytes; 2 follow");
  expect_refused(file_text(""), "does not begin with '{'");
  const std::uint64_t much = 100'000'001;
  std::memcpy(text.data(), &much, sizeof much);
  put_text(text);
  std::filesystem::resize_file(path(), 8 + much);
  expect_refused("its header claims 100000001 bytes; at most 100000000 are accepted");
}

TEST_F(Safetensors, HostileJson) {
  expect_refused(file_text("[]"), "does not begin with '{'");
  expect_refused(file_text("\xEF\xBB\xBF{}"), "does not begin with '{'");
  expect_refused(file_text("{"), "is not JSON");
  expect_refused(file_text("{}{}"), "is not JSON (byte 3)");
  expect_refused(file_text(std::string("{}\0junk", 7)), "is not JSON (byte 3)");
  expect_refused(file_text("{\"\xff\":{}}"), "is not JSON");
  expect_refused(file_text("{\"a\":" + std::string(1'000'000, '[')), "'a' is a list");
  std::string objects;
  for (int i = 0; i < 100'000; ++i) objects += "{\"a\":";
  expect_refused(file_text(objects), "'a' has a field 'a'");
  expect_refused(file_text(R"({"a":1})"), "'a' is 1; accepted is an object");
  expect_refused(file_text(R"({"a":null})"), "'a' is null");
  expect_refused(file_text(R"({"__metadata__":[]})"), "is a list; accepted is an object");
  expect_refused(file_text(R"({"__metadata__":{"k":1}})"),
                 "the metadata 'k' is 1; accepted is text");
  expect_refused(file_text(R"({"__metadata__":{"k":{}}})"), "the metadata 'k' is an object");
  expect_refused(file_text(R"({"__metadata__":{"k":"1","k":"1"}})"), "comes twice");
  expect_refused(file_text(R"({"__metadata__":{},"__metadata__":{}})"), "comes twice");
  expect_refused(file_text("{\"" + std::string(2000, 'n') + "\":{}}"),
                 "has 2000 bytes; at most 1024 are accepted");
}

TEST_F(Safetensors, HostileEntries) {
  const auto entry = [](const std::string& dtype, const std::string& shape,
                        const std::string& offsets) {
    return file_text(R"({"w":{"dtype":)" + dtype + R"(,"shape":)" + shape + R"(,"data_offsets":)" +
                         offsets + "}}",
                     8);
  };
  EXPECT_EQ(error_of(entry(R"("F32")", "[2]", "[0,8]")), "no error");
  expect_refused(entry(R"("BF16")", "[4]", "[0,8]"), "the dtype 'BF16'; accepted are F32 and F64");
  expect_refused(entry("7", "[2]", "[0,8]"),
                 "the dtype of tensor 'w' is 7; accepted is F32 or F64");
  expect_refused(entry("[]", "[2]", "[0,8]"), "the dtype of tensor 'w' is a list");
  expect_refused(entry(R"("F32")", "2", "[0,8]"),
                 "the shape of tensor 'w' is 2; accepted is a list");
  expect_refused(entry(R"("F32")", "[-2]", "[0,8]"), "holds -2; accepted are whole numbers from 0");
  expect_refused(entry(R"("F32")", "[2.0]", "[0,8]"), "holds '2.0'");
  expect_refused(entry(R"("F32")", "[1e400]", "[0,8]"), "not JSON");
  expect_refused(entry(R"("F32")", "[99999999999999999999]", "[0,8]"),
                 "holds '99999999999999999999'");
  expect_refused(entry(R"("F32")", "[true]", "[0,8]"), "holds true");
  expect_refused(entry(R"("F32")", R"(["2"])", "[0,8]"), "holds '2'");
  expect_refused(entry(R"("F32")", "[[2]]", "[0,8]"), "holds a list");
  expect_refused(entry(R"("F32")", "[{}]", "[0,8]"), "holds an object");
  expect_refused(entry(R"("F32")", "[1,1,1,1,1,1,2]", "[0,8]"), "more than 6 axes");
  expect_refused(entry(R"("F32")", "[4294967296,4294967296]", "[0,8]"), "too large");
  expect_refused(entry(R"("F32")", "[4611686018427387904,4,0]", "[0,0]"), "too large");
  expect_refused(entry(R"("F32")", "[0,4611686018427387904,4]", "[0,0]"), "too large");
  expect_refused(entry(R"("F32")", "[3]", "[0,8]"), "has 8 bytes; its shape [3] in F32 needs 12");
  expect_refused(entry(R"("F64")", "[2]", "[0,8]"), "its shape [2] in F64 needs 16");
  expect_refused(entry(R"("F32")", "[2]", "[8,0]"), "the data_offsets [8, 0]; accepted are rising");
  expect_refused(entry(R"("F32")", "[2]", "[0,9]"), "rising numbers up to 8");
  expect_refused(entry(R"("F32")", "[2]", "[18446744073709551612,4]"), "rising numbers up to 8");
  expect_refused(entry(R"("F32")", "[1]", "[4,8]"), "begins at byte 4 of the data; accepted is 0");
  expect_refused(entry(R"("F32")", "[1]", "[0,4]"), "its tensors end at byte 4 of 8 data bytes");
  expect_refused(entry(R"("F32")", "[2]", "[0]"), "other than two data_offsets");
  expect_refused(entry(R"("F32")", "[2]", "[0,8,8]"), "other than two data_offsets");
  expect_refused(entry(R"("F32")", "[2]", "[0,-8]"), "the data_offsets of tensor 'w' holds -8");
  expect_refused(entry(R"("F32","dtype":"F32")", "[2]", "[0,8]"), "comes twice");
  expect_refused(entry(R"("F32","extra":1)", "[2]", "[0,8]"), "has a field 'extra'");
  expect_refused(file_text(R"({"w":{"dtype":"F32","shape":[]}})"), "lacks one of dtype");
}

TEST_F(Safetensors, OverlapsAndRepeats) {
  const auto two = [](const std::string& first, const std::string& offsets) {
    return file_text("{\"" + first + R"(":{"dtype":"F32","shape":[2],"data_offsets":[0,8]},)" +
                         R"("v":{"dtype":"F32","shape":[1],"data_offsets":)" + offsets + "}}",
                     12);
  };
  EXPECT_EQ(error_of(two("w", "[8,12]")), "no error");
  expect_refused(two("w", "[4,8]"), "tensor 'v' begins at byte 4 of the data; accepted is 8");
  expect_refused(two("v", "[8,12]"), "the name 'v' comes twice");
  expect_refused(two("\\u0076", "[8,12]"), "the name 'v' comes twice");
}

TEST_F(Safetensors, AMissingFolderNamesThePath) {
  EXPECT_EQ(message_of<FileError>([&] { write_safetensors(path() + "/y", example()); }),
            "cannot write '" + path() + "/y': No such file or directory");
  EXPECT_EQ(message_of<FileError>([&] { read_safetensors(path()); }),
            "cannot read '" + path() + "': No such file or directory");
}

}  // namespace
}  // namespace heddle
