// JSON texts to values and back: the only place that knows the JSON library.
#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <unordered_map>

#include <nlohmann/json.hpp>

#include "heddle/base/index.hpp"
#include "heddle/base/json.hpp"
#include "heddle/base/memory/offered.hpp"

namespace heddle {

/// Takes the events of the reader, whose names for them these functions have, and builds a value.
class JsonBuilder {
 public:
  using Reader = nlohmann::json;

  explicit JsonBuilder(const JsonRules& rules) : rules_(rules) {}
  Json finish() { return std::move(root_); }

  bool null() { return add(Json()); }
  bool boolean(bool value) { return add(value); }
  bool number_integer(Reader::number_integer_t value) { return add(value); }
  bool number_unsigned(Reader::number_unsigned_t value) { return add(value); }
  bool number_float(Reader::number_float_t value, const std::string& /*text*/) {
    return add(value);
  }
  bool string(std::string& value) { return add(std::move(value)); }
  bool binary(Reader::binary_t& /*bytes*/) { return false; }
  bool start_object(std::size_t /*size*/) { return open(Json::object()); }
  bool start_array(std::size_t /*size*/) { return open(Json::array()); }
  bool end_object() { return close(); }
  bool end_array() { return close(); }

  bool key(std::string& key) {
    if (skipped_ > 0) return true;
    place_ = place_of(key);
    if (rules_.unique_keys && place_ < open_.back().value->size())
      throw JsonError(fmt::format("'{}' stands there twice", key));
    key_ = std::move(key);
    return true;
  }

  [[noreturn]] static bool parse_error(std::size_t byte, const std::string& /*token*/,
                                       const Reader::exception& /*error*/) {
    throw JsonParseError(fmt::format("no JSON at byte {}", byte), byte);
  }

 private:
  /// Where the next value belongs.
  Json& slot() {
    count_value();
    if (open_.empty()) return root_;
    Json& owner = *open_.back().value;
    if (owner.is_object()) {
      Json::Object& members = owner.items();
      if (place_ == members.size()) members.emplace_back(std::move(key_), Json());
      return members[place_].second;
    }
    owner.push_back(Json());
    return owner.back();
  }

  /// Where a key stands in the innermost object; its size if it is new. Large objects are looked up
  /// in an index: one after the other, a million keys would take hours.
  std::size_t place_of(const std::string& key) {
    constexpr std::size_t kFew = 32;
    Open& open = open_.back();
    const Json::Object& members = open.value->items();
    if (members.size() < kFew)
      return to_size(std::ranges::find(members, key, &Json::Member::first) - members.begin());
    for (std::size_t i = open.places.size(); i < members.size(); ++i)
      open.places.emplace(members[i].first, i);
    const auto found = open.places.find(key);
    return found == open.places.end() ? members.size() : found->second;
  }

  /// A text of two letters for each value takes 24 times its size.
  void count_value() {
    constexpr std::size_t kOften = std::size_t{1} << 20U;
    if (++values_ % kOften == 0)
      check_memory(sizeof(Json) * static_cast<double>(values_),
                   fmt::format("JSON of more than {} values", values_));
  }

  bool add(Json value) {
    if (skipped_ == 0) slot() = std::move(value);
    return true;
  }

  bool open(Json value) {
    if (++depth_ > Json::kDeepest)
      throw JsonError(fmt::format("it is nested deeper than {} levels", Json::kDeepest));
    if (skipped_ > 0 || (rules_.outermost_only && !open_.empty())) {
      ++skipped_;
      return true;
    }
    Json& here = slot();
    here = std::move(value);
    open_.push_back(
        {.value = &here,
         .places = {}});  // stays where it is: its owner gets nothing new before it is closed
    return true;
  }

  bool close() {
    --depth_;
    if (skipped_ > 0) {
      --skipped_;
    } else {
      open_.pop_back();
    }
    return true;
  }

  struct Open {
    Json* value;
    std::unordered_map<std::string, std::size_t> places;  // of keys, once there are many
  };

  JsonRules rules_;
  Json root_;
  std::vector<Open> open_;  // from the outermost inwards
  std::string key_;
  std::size_t place_ = 0;  // of that key
  std::size_t values_ = 0;
  int depth_ = 0, skipped_ = 0;
};

Json Json::parse(std::string_view text, const JsonRules& rules) {
  JsonBuilder builder(rules);
  nlohmann::json::sax_parse(text.begin(), text.end(), &builder);
  return builder.finish();
}

Json Json::try_parse(std::string_view text, const JsonRules& rules) {
  try {
    return parse(text, rules);
  } catch (const JsonError&) {
    Json none;
    none.discarded_ = true;
    return none;
  }
}

/// Appends values to a text. Numbers and texts look as the library would write them, so that files
/// keep their bytes.
class JsonWriter {
 public:
  JsonWriter(int indent, Json::OnBadText on_bad_text)
      : indent_(indent), on_bad_text_(on_bad_text) {}

  std::string take() { return std::move(text_); }

  void write(const Json& value, int level = 0) {
    if (value.is_object()) return write_members(value, level);
    if (value.is_array()) return write_elements(value, level);
    if (value.is_string()) return write_text(std::get<std::string>(value.value_));
    if (value.is_boolean()) return append(std::get<bool>(value.value_) ? "true" : "false");
    if (value.is_signed()) return write_whole(std::get<std::int64_t>(value.value_));
    if (value.is_number_unsigned()) return write_whole(std::get<std::uint64_t>(value.value_));
    if (value.is_number_float()) return write_real(std::get<double>(value.value_));
    append("null");
  }

 private:
  void append(std::string_view part) { text_ += part; }

  void new_line(int level) {
    if (indent_ < 0) return;
    text_ += '\n';
    text_.append(to_size(indent_) * to_size(level), ' ');
  }

  void write_members(const Json& value, int level) {
    if (value.empty()) return append("{}");
    char before = '{';
    for (const auto& [key, member] : value.items()) {
      text_ += std::exchange(before, ',');
      new_line(level + 1);
      write_text(key);
      append(indent_ < 0 ? ":" : ": ");
      write(member, level + 1);
    }
    new_line(level);
    text_ += '}';
  }

  void write_elements(const Json& value, int level) {
    if (value.empty()) return append("[]");
    char before = '[';
    for (const Json& element : value) {
      text_ += std::exchange(before, ',');
      new_line(level + 1);
      write(element, level + 1);
    }
    new_line(level);
    text_ += ']';
  }

  void write_whole(auto number) {
    std::array<char, 24> digits{};
    const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), number);
    text_.append(digits.data(), end.ptr);
  }

  void write_real(double number) {
    if (!std::isfinite(number)) return append("null");
    std::array<char, 64> digits{};
    char* end = nlohmann::detail::to_chars(digits.data(), digits.data() + digits.size(), number);
    text_.append(digits.data(), end);
  }

  void write_text(const std::string& text) {
    const bool plain = std::ranges::all_of(text, [](char c) {
      const auto byte = static_cast<unsigned char>(c);
      return byte >= 0x20 && byte < 0x80 && c != '"' && c != '\\';
    });
    if (plain) {
      text_ += '"';
      text_ += text;
      text_ += '"';
      return;
    }
    using Library = nlohmann::json;
    const bool replace = on_bad_text_ == Json::OnBadText::replace;
    try {
      text_ += Library(text).dump(
          -1, ' ', false,
          replace ? Library::error_handler_t::replace : Library::error_handler_t::strict);
    } catch (const Library::exception&) {
      throw JsonError("a text holds bytes that are no UTF-8");
    }
  }

  int indent_;
  Json::OnBadText on_bad_text_;
  std::string text_;
};

std::string Json::dump(int indent, OnBadText on_bad_text) const {
  JsonWriter writer(indent, on_bad_text);
  writer.write(*this);
  return writer.take();
}

std::string json_line(const Json& json) {
  return json.dump(-1, Json::OnBadText::replace) + "\n";
}

}  // namespace heddle
