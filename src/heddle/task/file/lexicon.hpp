// Texts and their ids: the tokens or the labels of a task that a file brings.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "heddle/base/index.hpp"

namespace heddle {

/// Ids are 0 … size − 1. All texts lie in one string: a million examples hold no string per token.
class Lexicon {
 public:
  Lexicon() = default;
  /// Ids as the texts stand, so that a saved list gives the same lexicon; UsageError where one is
  /// empty or comes twice.
  explicit Lexicon(std::span<const std::string> texts);

  std::int32_t size() const { return static_cast<std::int32_t>(ends_.size()); }
  bool empty() const { return ends_.empty(); }
  std::string_view text(std::int32_t id) const;
  std::vector<std::string> texts() const;
  std::optional<std::int32_t> find(std::string_view text) const;
  /// Depends on the text alone, not on its id.
  std::uint64_t text_hash(std::int32_t id) const { return hashes_[to_size(id)]; }

  /// The text's id; a new text gets the next one.
  std::int32_t add(std::string_view text);
  /// Orders the texts by comes_before(), so that ids do not depend on the order in which texts were
  /// added. Gives the new id of each former one.
  std::vector<std::int32_t> sort();

  bool operator==(const Lexicon& other) const;

 private:
  std::size_t slot_of(std::string_view text, std::uint64_t hash) const;
  void grow_slots();

  std::string letters_;              // all texts, one behind the other
  std::vector<std::uint32_t> ends_;  // where each text ends
  std::vector<std::uint64_t> hashes_;
  std::vector<std::int32_t> slots_;  // a table of ids by hash, −1 where free; a power of two
};

/// Whole numbers first, by value ("-3", "7", "007", "12"), then all else byte by byte.
bool comes_before(std::string_view a, std::string_view b);

}  // namespace heddle
