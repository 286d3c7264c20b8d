// Sets of examples from text in memory, back to text, and what holds for every set that was read.
#pragma once

#include <string>
#include <string_view>

#include "heddle/task/file/example_set.hpp"

namespace heddle {

/// The text must outlive the source. Errors call it 'f'.
ByteSource text_source(std::string_view text, std::uint64_t block = 1U << 18U);

/// The set as comma-separated text that reads back as the same set, with a column `split` where the
/// file had one. Only for sets that such text can hold.
std::string to_csv(const ExampleSet& set);
/// Whether every token is a word, or a character, as the set's kind has it.
bool csv_can_hold(const ExampleSet& set);
/// The set as JSON lines with lists of tokens.
std::string to_jsonl(const ExampleSet& set);

/// Whether all but the line numbers is the same.
bool same_examples(const ExampleSet& a, const ExampleSet& b);

/// The first promise that the set or its report breaks; empty for a sound set.
std::string broken_promise(const ExampleSet& set, const ExampleOptions& options);

}  // namespace heddle
