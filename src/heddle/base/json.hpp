// A JSON value: the one type in which files of text are read and written. Reading and writing
// themselves stand in json.cpp, so that nobody else compiles a JSON library.
#pragma once

#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "heddle/base/check.hpp"
#include "heddle/base/index.hpp"

namespace heddle {

/// A value that is not what was asked of it: of another type, or without that key.
class JsonError : public Error {
 public:
  using Error::Error;
};
/// A text that is no JSON.
class JsonParseError : public JsonError {
 public:
  JsonParseError(const std::string& what, std::size_t at) : JsonError(what), byte(at) {}
  std::size_t byte = 0;  ///< where, from 1
};

/// What a text may hold; one that nests deeper than Json::kDeepest is a JsonError.
struct JsonRules {
  bool unique_keys = false;     ///< JsonError where a key comes twice in one object
  bool outermost_only = false;  ///< lists and objects inside the outermost one are passed over
};

/// Objects keep the order in which their keys came; a key that comes twice keeps its first place
/// and its last value.
class Json {
 public:
  using Member = std::pair<std::string, Json>;
  using List = std::vector<Json>;
  using Object = std::vector<Member>;
  using exception = JsonError;
  using parse_error = JsonParseError;
  enum class OnBadText : std::uint8_t { refuse, replace };  ///< bytes that are no UTF-8
  static constexpr int kDeepest = 200;

  Json() = default;
  Json(std::nullptr_t) {}  // NOLINT(google-explicit-constructor): values become JSON where written
  template <class T>
    requires std::same_as<T, bool>
  Json(T value) : value_(value) {}  // NOLINT(google-explicit-constructor)
  template <class T>
    requires(std::signed_integral<T>)
  Json(T value) : value_(std::int64_t{value}) {}  // NOLINT(google-explicit-constructor)
  template <class T>
    requires(std::unsigned_integral<T> && !std::same_as<T, bool>)
  Json(T value) : value_(std::uint64_t{value}) {}  // NOLINT(google-explicit-constructor)
  template <class T>
    requires(std::floating_point<T>)
  Json(T value) : value_(static_cast<double>(value)) {}  // NOLINT(google-explicit-constructor)
  Json(std::string value) : value_(std::move(value)) {}  // NOLINT(google-explicit-constructor)
  Json(std::string_view value);                          // NOLINT(google-explicit-constructor)
  Json(const char* value);                               // NOLINT(google-explicit-constructor)
  template <class T>
  Json(const std::vector<T>& values) : value_(List()) {  // NOLINT(google-explicit-constructor)
    for (const auto& each : values) push_back(Json(static_cast<const T&>(each)));
  }
  /// {{"key", value}, …} is an object, anything else in braces a list.
  Json(std::initializer_list<Json> parts);
  Json(const Json& other);
  Json(Json&& other) noexcept;
  Json& operator=(const Json& other);
  Json& operator=(Json&& other) noexcept;
  ~Json();

  static Json array() { return Json(Kind::list); }
  static Json object() { return Json(Kind::object); }

  /// JsonParseError unless the text is JSON and keeps to the rules.
  static Json parse(std::string_view text, const JsonRules& rules = {});
  /// The same, but what is no JSON gives a value for which is_discarded() holds.
  static Json try_parse(std::string_view text, const JsonRules& rules = {});

  /// One line, or lines with so many blanks for each level.
  std::string dump(int indent = -1, OnBadText on_bad_text = OnBadText::refuse) const;

  bool is_null() const { return value_.index() == 0 && !discarded_; }
  bool is_discarded() const { return discarded_; }
  bool is_boolean() const { return std::holds_alternative<bool>(value_); }
  bool is_number_integer() const { return is_signed() || is_number_unsigned(); }
  /// Not below 0.
  bool is_number_unsigned() const { return std::holds_alternative<std::uint64_t>(value_); }
  bool is_number_float() const { return std::holds_alternative<double>(value_); }
  bool is_number() const { return is_number_integer() || is_number_float(); }
  bool is_string() const { return std::holds_alternative<std::string>(value_); }
  bool is_array() const { return std::holds_alternative<List>(value_); }
  bool is_object() const { return std::holds_alternative<Object>(value_); }
  bool is_structured() const { return is_array() || is_object(); }
  const char* type_name() const;

  /// Of a list or an object; 0 for null, 1 for anything else.
  std::size_t size() const;
  bool empty() const { return size() == 0; }

  /// JsonError where the value is none such; a number must be one that T can hold.
  template <class T>
  T get() const;
  template <class T>
  void get_to(T& out) const {
    out = get<T>();
  }
  template <class T>
    requires(std::is_arithmetic_v<T> || std::same_as<T, std::string>)
  operator T() const {  // NOLINT(google-explicit-constructor)
    return get<T>();
  }

  // ── objects ──
  bool contains(std::string_view key) const { return lookup(key) != nullptr; }
  const Json* lookup(std::string_view key) const;  ///< null where there is none
  const Json& at(std::string_view key) const;      ///< JsonError where there is none
  Json& at(std::string_view key);
  const Json& operator[](std::string_view key) const { return at(key); }
  const Json& operator[](const char* key) const { return at(key); }
  /// Makes an object of null, and the member where it is missing.
  Json& operator[](std::string_view key);
  Json& operator[](const char* key) { return (*this)[std::string_view(key)]; }
  /// The member where it is there, else this; JsonError where it is of another type.
  template <class T>
  T value(std::string_view key, const T& otherwise) const {
    const Json* found = lookup(key);
    return found != nullptr ? found->get<T>() : otherwise;
  }
  std::string value(std::string_view key, const char* otherwise) const;
  /// Takes over the members of another object.
  void update(const Json& other);
  std::size_t erase(std::string_view key);
  const Object& items() const;
  Object& items();

  // ── lists ──
  const Json& at(std::size_t i) const;  ///< JsonError beyond the end
  Json& at(std::size_t i);
  template <std::integral I>
  const Json& operator[](I i) const {
    return at(to_size(i));
  }
  template <std::integral I>
  Json& operator[](I i) {
    return at(to_size(i));
  }
  /// Makes a list of null.
  void push_back(Json value);
  void erase(std::size_t i);
  const Json& front() const { return at(std::size_t{0}); }
  const Json& back() const { return at(size() - 1); }
  Json& back() { return at(size() - 1); }
  /// The elements of a list; an object has items().
  const Json* begin() const { return elements().data(); }
  const Json* end() const { return begin() + elements().size(); }
  Json* begin();
  Json* end();
  const List& elements() const;  ///< none for null; JsonError for what is no list

  /// Numbers are equal by value, whatever their type; objects whatever their order.
  friend bool operator==(const Json& a, const Json& b) { return a.equals(b); }

 private:
  enum class Kind : std::uint8_t { list, object };
  explicit Json(Kind kind);
  friend class JsonWriter;
  friend class JsonBuilder;

  bool is_signed() const { return std::holds_alternative<std::int64_t>(value_); }
  bool equals(const Json& other) const;
  std::int64_t whole() const;
  std::uint64_t whole_unsigned() const;
  double real() const;
  bool truth() const;
  const std::string& text() const;
  [[noreturn]] void refuse(std::string_view wanted) const;

  std::variant<std::monostate, bool, std::int64_t, std::uint64_t, double, std::string, List, Object>
      value_;
  bool discarded_ = false;  // what try_parse() gives for no JSON
};

template <class T>
T Json::get() const {
  if constexpr (std::same_as<T, bool>) {
    return truth();
  } else if constexpr (std::floating_point<T>) {
    return static_cast<T>(real());
  } else if constexpr (std::integral<T>) {
    if (is_number_unsigned()) {
      const std::uint64_t value = whole_unsigned();
      if (!std::in_range<T>(value)) refuse("a smaller whole number");
      return static_cast<T>(value);
    }
    const std::int64_t value = whole();
    if (!std::in_range<T>(value)) refuse("another whole number");
    return static_cast<T>(value);
  } else if constexpr (std::same_as<T, std::string>) {
    return text();
  } else if constexpr (std::same_as<T, Json>) {
    return *this;
  } else {  // a list
    T list;
    for (const Json& each : elements()) list.push_back(each.get<typename T::value_type>());
    return list;
  }
}

/// One line, ended. Bytes that are no UTF-8 are replaced, not refused.
std::string json_line(const Json& json);

}  // namespace heddle
