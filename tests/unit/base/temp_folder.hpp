// A folder for one test, gone with it.
#pragma once

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include <stdlib.h>

namespace heddle {

class TempFolder {
 public:
  TempFolder() {
    std::string name = (std::filesystem::temp_directory_path() / "heddle_test_XXXXXX").string();
    path_ = ::mkdtemp(name.data());
  }
  TempFolder(const TempFolder&) = delete;
  TempFolder& operator=(const TempFolder&) = delete;
  ~TempFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }

  const std::string& path() const { return path_; }
  std::string operator/(const std::string& name) const { return path_ + "/" + name; }
  /// Names of everything inside, hidden ones too.
  std::vector<std::string> names() const {
    std::vector<std::string> all;
    for (const auto& entry : std::filesystem::directory_iterator(path_))
      all.push_back(entry.path().filename().string());
    std::ranges::sort(all);
    return all;
  }

 private:
  std::string path_;
};

/// What the error says, or "no error".
template <class E, class Body>
std::string message_of(Body&& body) {
  try {
    body();
  } catch (const E& error) {
    return error.what();
  }
  return "no error";
}

}  // namespace heddle
