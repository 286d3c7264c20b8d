// See results_file.hpp.
#include "heddle/record/results_file.hpp"

#include "heddle/base/file.hpp"
#include "heddle/base/hash.hpp"
#include "heddle/base/text.hpp"

namespace heddle {
namespace {

constexpr const char* kResults = "/results.json";
constexpr const char* kChecksum = "/results.checksum";

std::string checksum_of(const std::string& text) {
  return Hash().add(text).hex() + "\n";
}

}  // namespace

void write_results(const std::string& folder, const std::string& text) {
  (void)remove_all(folder + kChecksum);  // before the results that it does not fit
  write_file(folder + kResults, text);
  write_file(folder + kChecksum, checksum_of(text));
}

std::string read_results_text(const std::string& folder, std::uint64_t most) {
  std::string text = read_file(folder + kResults, most);
  const std::string path = folder + kChecksum;
  if (!file_exists(path)) return text;
  check<FileError>(read_file(path) == checksum_of(text),
                   "{} was changed since it was written ({} says so): heddle conclude {} makes it "
                   "again",
                   quote_path(folder + kResults), quote_path(path), quote_path(folder));
  return text;
}

}  // namespace heddle
