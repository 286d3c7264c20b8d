// JSON files with a checksum: what was written comes back, and no changed byte is believed.
#include "heddle/base/checked_json.hpp"

#include <gtest/gtest.h>

#include "heddle/base/file.hpp"
#include "tests/support/print_json.hpp"
#include "tests/unit/base/temp_folder.hpp"

namespace heddle {
namespace {

Json example() {
  return {{"schema", 1}, {"accuracy", 0.47}, {"heads", {{{"head", "a"}, {"drop", -3}}}}};
}

TEST(CheckedJson, ComesBackWithoutItsChecksum) {
  const TempFolder folder;
  for (const int indent : {-1, 0, 2}) {
    write_checked_json(folder / "a.json", example(), indent);
    EXPECT_EQ(read_checked_json(folder / "a.json"), example());
    EXPECT_EQ(Json::parse(read_file(folder / "a.json")).items().back().first, "checksum");
    EXPECT_EQ(checked_json(read_checked_json(folder / "a.json"), indent),
              read_file(folder / "a.json"));
  }
}

TEST(CheckedJson, NoChangedByteIsBelieved) {
  const Json written = example();
  const std::string sound = checked_json(written, 1);
  int detected = 0, harmless = 0;
  for (std::size_t at = 0; at < sound.size(); ++at)
    for (int mask = 1; mask < 256; ++mask) {
      std::string text = sound;
      text[at] = static_cast<char>(text[at] ^ mask);
      Json back;
      const std::string message =
          message_of<FileError>([&] { back = parse_checked_json(text, "a.json"); });
      if (message == "no error") {
        ++harmless;  // the word "checksum" itself: the file seems to be older
        for (const auto& [key, value] : written.items())
          EXPECT_EQ(back.at(key), value) << at << " " << mask;
      } else {
        ++detected;
        EXPECT_EQ(message.find('\n'), std::string::npos) << message;
      }
    }
  EXPECT_EQ(detected + harmless, 255 * static_cast<int>(sound.size()));
  EXPECT_LE(harmless, 255 * 8);  // eight letters
}

TEST(CheckedJson, OlderFilesHaveNone) {
  EXPECT_EQ(parse_checked_json(example().dump(), "a.json"), example());
}

TEST(CheckedJson, ErrorsSayWhichFileAndWhatToDo) {
  const auto refusal = [](const std::string& text) {
    return message_of<FileError>([&] { parse_checked_json(text, "a.json", ": remove it"); });
  };
  EXPECT_EQ(refusal("{\"a\": "), "'a.json' is cut off or no JSON: remove it");
  EXPECT_EQ(refusal("[]"), "'a.json' is cut off or no JSON: remove it");
  EXPECT_EQ(refusal(R"({"checksum": 7})"),
            "'a.json' was changed since it was written: its checksum is '7': remove it");
  std::string changed = checked_json(example());
  changed.replace(changed.find("0.47"), 4, "4.70");
  EXPECT_NE(refusal(changed).find("its content gives the checksum"), std::string::npos);
}

}  // namespace
}  // namespace heddle
