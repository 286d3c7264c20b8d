// The values of JSON; see json.hpp. Reading and writing texts: json_text.cpp.
#include "heddle/base/json.hpp"

#include <algorithm>

namespace heddle {

Json::Json(std::string_view value) : value_(std::string(value)) {}
Json::Json(const char* value) : value_(std::string(value)) {}

Json::Json(Kind kind) {
  if (kind == Kind::list) {
    value_ = List();
  } else {
    value_ = Object();
  }
}

Json::Json(std::initializer_list<Json> parts) {
  const bool is_object = std::ranges::all_of(parts, [](const Json& part) {
    return part.is_array() && part.size() == 2 && part.front().is_string();
  });
  if (!is_object) {
    value_ = List(parts);
    return;
  }
  value_ = Object();
  for (const Json& part : parts) (*this)[part.front().text()] = part.back();
}

Json::Json(const Json& other) = default;
Json::Json(Json&& other) noexcept = default;
Json& Json::operator=(const Json& other) = default;
Json& Json::operator=(Json&& other) noexcept = default;
Json::~Json() = default;

const char* Json::type_name() const {
  if (discarded_) return "no JSON";
  if (is_null()) return "null";
  if (is_boolean()) return "boolean";
  if (is_number()) return "number";
  if (is_string()) return "string";
  return is_array() ? "array" : "object";
}

void Json::refuse(std::string_view wanted) const {
  throw JsonError(fmt::format("{} is wanted, not {}", wanted, type_name()));
}

std::size_t Json::size() const {
  if (const auto* list = std::get_if<List>(&value_)) return list->size();
  if (const auto* object = std::get_if<Object>(&value_)) return object->size();
  return value_.index() == 0 ? 0 : 1;
}

std::int64_t Json::whole() const {
  if (const auto* value = std::get_if<std::int64_t>(&value_)) return *value;
  // A number that happens to be whole may be written as 3.0.
  const auto* value = std::get_if<double>(&value_);
  if (value == nullptr) refuse("a whole number");
  constexpr double kExact = 9007199254740992;  // 2⁵³: up to here every whole number is a double
  if (!(*value >= -kExact && *value <= kExact)) refuse("a whole number");
  return static_cast<std::int64_t>(*value);
}

std::uint64_t Json::whole_unsigned() const {
  const auto* value = std::get_if<std::uint64_t>(&value_);
  if (value == nullptr) refuse("a whole number that is not negative");
  return *value;
}

double Json::real() const {
  if (const auto* value = std::get_if<double>(&value_)) return *value;
  if (const auto* value = std::get_if<std::uint64_t>(&value_)) return static_cast<double>(*value);
  if (const auto* value = std::get_if<std::int64_t>(&value_)) return static_cast<double>(*value);
  refuse("a number");
}

bool Json::truth() const {
  const auto* value = std::get_if<bool>(&value_);
  if (value == nullptr) refuse("true or false");
  return *value;
}

const std::string& Json::text() const {
  const auto* value = std::get_if<std::string>(&value_);
  if (value == nullptr) refuse("a text");
  return *value;
}

const Json* Json::lookup(std::string_view key) const {
  const auto* object = std::get_if<Object>(&value_);
  if (object == nullptr) return nullptr;
  const auto found = std::ranges::find(*object, key, &Member::first);
  return found == object->end() ? nullptr : &found->second;
}

const Json& Json::at(std::string_view key) const {
  if (!is_object()) refuse("an object");
  const Json* found = lookup(key);
  if (found == nullptr) throw JsonError(fmt::format("the key '{}' is missing", key));
  return *found;
}

Json& Json::at(std::string_view key) {
  return const_cast<Json&>(std::as_const(*this).at(key));  // NOLINT: ours, and not const
}

Json& Json::operator[](std::string_view key) {
  if (is_null()) value_ = Object();
  if (!is_object()) refuse("an object");
  auto& object = std::get<Object>(value_);
  const auto found = std::ranges::find(object, key, &Member::first);
  if (found != object.end()) return found->second;
  return object.emplace_back(std::string(key), Json()).second;
}

std::string Json::value(std::string_view key, const char* otherwise) const {
  return value<std::string>(key, otherwise);
}

void Json::update(const Json& other) {
  for (const auto& [key, value] : other.items()) (*this)[key] = value;
}

std::size_t Json::erase(std::string_view key) {
  if (!is_object()) refuse("an object");
  return std::erase_if(std::get<Object>(value_),
                       [&](const Member& member) { return member.first == key; });
}

const Json::Object& Json::items() const {
  if (!is_object()) refuse("an object");
  return std::get<Object>(value_);
}

Json::Object& Json::items() {
  if (!is_object()) refuse("an object");
  return std::get<Object>(value_);
}

const Json& Json::at(std::size_t i) const {
  const List& list = elements();
  if (i >= list.size())
    throw JsonError(fmt::format("element {} is missing: the list has {}", i, list.size()));
  return list[i];
}

Json& Json::at(std::size_t i) {
  return const_cast<Json&>(std::as_const(*this).at(i));  // NOLINT: ours, and not const
}

void Json::push_back(Json value) {
  if (is_null()) value_ = List();
  if (!is_array()) refuse("a list");
  std::get<List>(value_).push_back(std::move(value));
}

void Json::erase(std::size_t i) {
  const Json& refuses_what_is_not_there = at(i);
  auto& list = std::get<List>(value_);
  list.erase(list.begin() + (&refuses_what_is_not_there - list.data()));
}

const Json::List& Json::elements() const {
  static const List kNone;
  if (is_null()) return kNone;
  if (!is_array()) refuse("a list");
  return std::get<List>(value_);
}

Json* Json::begin() {
  return const_cast<Json*>(std::as_const(*this).begin());  // NOLINT: ours, and not const
}

Json* Json::end() {
  return const_cast<Json*>(std::as_const(*this).end());  // NOLINT: ours, and not const
}

bool Json::equals(const Json& other) const {
  if (is_number() && other.is_number()) {
    if (is_number_float() || other.is_number_float()) return real() == other.real();
    if (is_number_unsigned() != other.is_number_unsigned()) {
      const Json& signed_one = is_signed() ? *this : other;
      const Json& other_one = is_signed() ? other : *this;
      return std::cmp_equal(signed_one.whole(), other_one.whole_unsigned());
    }
    return value_ == other.value_;
  }
  if (!is_object() || !other.is_object())
    return discarded_ == other.discarded_ && value_ == other.value_;
  const Object& members = items();
  return members.size() == other.size() && std::ranges::all_of(members, [&](const Member& member) {
           const Json* twin = other.lookup(member.first);
           return twin != nullptr && *twin == member.second;
         });
}

}  // namespace heddle
