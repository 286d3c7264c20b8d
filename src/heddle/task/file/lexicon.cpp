// See lexicon.hpp.
#include "heddle/task/file/lexicon.hpp"

#include <algorithm>
#include <cstddef>
#include <numeric>

#include "heddle/base/check.hpp"
#include "heddle/base/hash.hpp"
#include "heddle/base/index.hpp"
#include "heddle/base/text.hpp"

namespace heddle {
namespace {

constexpr std::size_t kFirstSlots = 64;
constexpr std::size_t kShownText = 60;  // bytes of a wrong text

/// Eight bytes at a time, lowest first: the same on every platform, and quick for short texts.
std::uint64_t hash_of(std::string_view text) {
  std::uint64_t hash = 0x9E3779B97F4A7C15U + text.size();
  while (!text.empty()) {
    std::uint64_t word = 0;
    const std::size_t count = std::min<std::size_t>(text.size(), 8);
    for (std::size_t i = 0; i < count; ++i)
      word |= std::uint64_t{static_cast<unsigned char>(text[i])} << (8 * i);
    hash = mix_bits(hash ^ word);
    text.remove_prefix(count);
  }
  return hash;
}

/// A whole number of any length, taken apart; `is` is false for any other text.
struct Whole {
  bool is = false;
  bool negative = false;
  std::string_view digits;  // without leading zeros

  explicit Whole(std::string_view text) {
    negative = text.starts_with('-');
    if (negative) text.remove_prefix(1);
    is = !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
    if (is) digits = text.substr(std::min(text.find_first_not_of('0'), text.size()));
    if (digits.empty()) negative = false;  // −0
  }
};

/// −1, 0, 1 as the size of `a` is below, at or above that of `b`.
int compare_sizes(std::string_view a, std::string_view b) {
  if (a.size() != b.size()) return a.size() < b.size() ? -1 : 1;
  const int order = a.compare(b);
  return order < 0 ? -1 : (order > 0 ? 1 : 0);
}

}  // namespace

bool comes_before(std::string_view a, std::string_view b) {
  const Whole left(a);
  const Whole right(b);
  if (left.is != right.is) return left.is;
  if (left.is) {
    if (left.negative != right.negative) return left.negative;
    const int order = compare_sizes(left.digits, right.digits);
    if (order != 0) return left.negative ? order > 0 : order < 0;
    if (a.size() != b.size()) return a.size() < b.size();  // "7" before "007"
  }
  return a < b;
}

Lexicon::Lexicon(std::span<const std::string> texts) {
  for (const std::string& text : texts) {
    check<UsageError>(!text.empty(), "a lexicon has no empty text");
    const std::int32_t before = size();
    check<UsageError>(add(text) == before, "the text {} comes twice in a lexicon",
                      quote(text, kShownText));
  }
}

std::string_view Lexicon::text(std::int32_t id) const {
  const auto at = to_size(id);
  const std::size_t start = at == 0 ? 0 : ends_[at - 1];
  return std::string_view(letters_).substr(start, ends_[at] - start);
}

std::vector<std::string> Lexicon::texts() const {
  std::vector<std::string> all;
  all.reserve(ends_.size());
  for (std::int32_t id = 0; id < size(); ++id) all.emplace_back(text(id));
  return all;
}

std::size_t Lexicon::slot_of(std::string_view text, std::uint64_t hash) const {
  std::size_t slot = hash & (slots_.size() - 1);
  while (slots_[slot] >= 0 && (text_hash(slots_[slot]) != hash || this->text(slots_[slot]) != text))
    slot = (slot + 1) & (slots_.size() - 1);
  return slot;
}

std::optional<std::int32_t> Lexicon::find(std::string_view text) const {
  if (slots_.empty()) return std::nullopt;
  const std::int32_t id = slots_[slot_of(text, hash_of(text))];
  return id >= 0 ? std::optional(id) : std::nullopt;
}

void Lexicon::grow_slots() {
  slots_.assign(std::max(kFirstSlots, 2 * slots_.size()), -1);
  for (std::int32_t id = 0; id < size(); ++id) slots_[slot_of(text(id), text_hash(id))] = id;
}

std::int32_t Lexicon::add(std::string_view text) {
  if (2 * (ends_.size() + 1) > slots_.size()) grow_slots();
  const std::uint64_t hash = hash_of(text);
  std::int32_t& id = slots_[slot_of(text, hash)];
  if (id < 0) {
    id = size();
    letters_ += text;
    ends_.push_back(static_cast<std::uint32_t>(letters_.size()));
    hashes_.push_back(hash);
  }
  return id;
}

std::vector<std::int32_t> Lexicon::sort() {
  std::vector<std::int32_t> order(ends_.size());
  std::iota(order.begin(), order.end(), 0);
  std::ranges::sort(
      order, [this](std::int32_t a, std::int32_t b) { return comes_before(text(a), text(b)); });
  Lexicon sorted;
  std::vector<std::int32_t> new_id(order.size());
  for (const std::int32_t id : order) new_id[to_size(id)] = sorted.add(text(id));
  *this = std::move(sorted);
  return new_id;
}

bool Lexicon::operator==(const Lexicon& other) const {
  return letters_ == other.letters_ && ends_ == other.ends_;
}

}  // namespace heddle
