// See checked_json.hpp.
#include "heddle/base/checked_json.hpp"

#include "heddle/base/file.hpp"
#include "heddle/base/hash.hpp"
#include "heddle/base/text.hpp"

namespace heddle {
namespace {

constexpr const char* kChecksum = "checksum";
constexpr std::size_t kDigits = 16;
const std::string kZeros(kDigits, '0');  // NOLINT: a short string, made once

/// Of the parts, one after the other.
std::string hash_of(std::initializer_list<std::string_view> parts) {
  Hash hash;
  for (const std::string_view part : parts)
    hash.bytes({reinterpret_cast<const std::uint8_t*>(part.data()), part.size()});
  return hash.hex();
}

/// Says what is wrong with an object that this text was parsed to; empty if nothing is.
std::string fault_of(const std::string& text, const Json& object) {
  const Json* kept = object.lookup(kChecksum);
  if (kept == nullptr) return "";
  const std::string said = kept->is_string() ? kept->get<std::string>() : kept->dump();
  const std::size_t at = said.size() == kDigits ? text.rfind(said) : std::string::npos;
  if (at == std::string::npos) return fmt::format("its checksum is {}", quote(said));
  const std::string_view whole = text;
  const std::string found = hash_of({whole.substr(0, at), kZeros, whole.substr(at + kDigits)});
  if (found == said) return "";
  return fmt::format("its content gives the checksum {}, it says {}", found, said);
}

}  // namespace

std::string checked_json(Json object, int indent) {
  object.erase(kChecksum);
  object[kChecksum] = kZeros;
  std::string text = object.dump(indent, Json::OnBadText::replace) + "\n";
  return text.replace(text.rfind(kZeros), kDigits, hash_of({text}));
}

void write_checked_json(const std::string& path, const Json& object, int indent) {
  write_file(path, checked_json(object, indent));
}

Json parse_checked_json(const std::string& text, const std::string& path, std::string_view advice) {
  Json object = Json::try_parse(text);
  check<FileError>(object.is_object(), "{} is cut off or no JSON{}", quote_path(path), advice);
  const std::string fault = fault_of(text, object);
  check<FileError>(fault.empty(), "{} was changed since it was written: {}{}", quote_path(path),
                   fault, advice);
  object.erase(kChecksum);
  return object;
}

Json read_checked_json(const std::string& path, std::string_view advice) {
  return parse_checked_json(read_file(path), path, advice);
}

}  // namespace heddle
