// Where every value of a study stands in its results.json, and pieces of text made of them.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>
#include <unordered_map>
#include <vector>

#include "heddle/record/score.hpp"
#include "heddle/record/tree.hpp"
#include "heddle/report/document/text.hpp"

namespace heddle::report {

/// Numbers of the method itself, by name; the only digits that do not come from the results;
/// empty for a name that there is not.
std::string_view constant_text(std::string_view name);

/// Makes pieces out of fields of one record. A field is known by its address, so what is handed in
/// must be a part of that record, not a copy: anything else is an error.
class Source {
 public:
  template <HasFields Record>
  explicit Source(const Record& record) {
    visit(record, -1, "", -1);
  }
  Source(const Source&) = delete;
  Source& operator=(const Source&) = delete;

  /// The words themselves.
  Piece text(const std::string& field) const;
  template <Named T>
  Piece text(const T& kind) const {
    return name(name_of(kind), &kind);
  }
  /// "Encoder L0 H3" of "encoder.0.self.head.3".
  Piece label(const std::string& name) const;
  /// "1,234".
  Piece count(const std::int64_t& field) const;
  Piece seed(const std::uint64_t& field) const;
  /// "99.95 %".
  Piece share(const Count& count) const;
  /// "1,234 of 2,000".
  Piece of(const Count& count) const;
  Piece of(const std::int64_t& part, const std::int64_t& whole) const;
  /// A fraction as "12.3 %".
  Piece percent(const double& field, int decimals = 1) const;
  /// A fraction as percentage points.
  Piece points(const double& field) const;
  Piece points_interval(const double& low, const double& high) const;
  Piece percent_interval(const double& low, const double& high) const;
  Piece number(const double& field, int decimals) const;
  Piece number_interval(const double& low, const double& high, int decimals) const;
  /// Three significant digits.
  Piece significant(const double& field) const;
  Piece p(const double& field) const;
  /// The number that stands at a place of "0|head|encoder.0.self.head.1|b1|0.23".
  Piece part(const std::string& field, std::size_t place, int decimals) const;

  /// How many entries a list has.
  template <class T>
  Piece size(const std::vector<T>& list) const {
    return size_of(&list, list.size());
  }
  /// How many of these texts equal `value`.
  Piece equal(const std::vector<const std::string*>& fields, const std::string& value) const;
  template <Named T>
  Piece equal(const std::vector<const T*>& kinds, T value) const {
    return equal_to({kinds.begin(), kinds.end()},
                    std::ranges::count_if(kinds, [&](const T* kind) { return *kind == value; }),
                    name_of(value));
  }
  /// How many of these counts are complete.
  Piece complete(const std::vector<const Count*>& counts) const;
  /// The middle one of these shares.
  Piece median_share(const std::vector<const Count*>& counts) const;
  Piece least_share(const std::vector<const Count*>& counts) const;
  /// The row of a list that is sorted by what stands in the row.
  static Piece rank(std::size_t row);
  /// A number of the method, by name (constant_text).
  static Piece constant(std::string_view name);

  /// "members.0.test.loss".
  std::string path(const void* field) const;

 private:
  struct Node {
    std::int32_t parent;
    std::int32_t index;  // −1: named
    std::string_view name;
  };
  template <class T>
  void visit(const T& value, std::int32_t parent, std::string_view name, std::int32_t index);
  Piece name(std::string_view name, const void* field) const;
  Piece equal_to(const std::vector<const void*>& fields, std::ptrdiff_t hits,
                 std::string_view value) const;
  Piece size_of(const void* list, std::size_t size) const;
  std::vector<std::string> paths(const std::vector<const Count*>& counts) const;

  std::vector<Node> nodes_;
  std::unordered_map<const void*, std::int32_t> found_;
};

template <class T>
void Source::visit(const T& value, std::int32_t parent, std::string_view name, std::int32_t index) {
  // Pictures are drawn, not told.
  if (name == "weights" || (std::is_same_v<T, std::vector<double>> && name == "values")) return;
  const auto here = static_cast<std::int32_t>(nodes_.size());
  nodes_.push_back({parent, index, name});
  if constexpr (HasFields<const T>) {
    T::fields(value, [&](std::string_view part, const auto& field, auto&&...) {
      visit(field, here, part, -1);
    });
  } else {
    found_.emplace(&value, here);
    if constexpr (IsVector<T>::value)
      for (std::size_t i = 0; i < value.size(); ++i)
        visit(value[i], here, "", static_cast<std::int32_t>(i));
  }
}

/// The source of a whole study, which must live as long.
template <class Study>
class StudySource : public Source {
 public:
  explicit StudySource(const Study& study) : Source(study), study_(study) {}
  const Study& study() const { return study_; }

 private:
  const Study& study_;
};

}  // namespace heddle::report
