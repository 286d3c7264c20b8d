// Which examples a hash holds out: whole inputs, the right share, nothing that training lacks.
#include "heddle/task/file/held_out.hpp"

#include <algorithm>
#include <map>
#include <random>

#include <gtest/gtest.h>

#include "heddle/base/index.hpp"
#include "tests/support/example_text.hpp"

namespace heddle {
namespace {

ExampleSet read_held_out(const std::string& text, const ExampleOptions& options = {}) {
  ExampleSet set = read_examples(text_source(text), ExampleFile::csv, options);
  EXPECT_EQ(broken_promise(set, options), "");
  return set;
}

std::size_t count(const ExampleSet& set, Split split) {
  return set.examples_in(split).size();
}

/// All numbers of three digits from `first` on, digit by digit, each `times` times, in an order of
/// its own.
std::string numbers(int first, int last, int times, unsigned seed) {
  std::vector<std::string> lines;
  for (int i = first; i < last; ++i)
    for (int k = 0; k < times; ++k) {
      const std::string digits = std::to_string(1000 + i);
      lines.push_back({digits[1], ' ', digits[2], ' ', digits[3], ',', digits[3], '\n'});
    }
  std::ranges::shuffle(lines, std::mt19937(seed));
  std::string text = "input,output\n";
  for (const std::string& line : lines) text += line;
  return text;
}

std::map<std::string, Split> splits_by_input(const ExampleSet& set) {
  std::map<std::string, Split> splits;
  for (Index i = 0; i < set.size(); ++i)
    splits[decode_text(set.input(i), set.token_kind, set.tokens)] = set.split(i);
  return splits;
}

TEST(HeldOut, SharesOfAllExamples) {
  const ExampleSet set = read_held_out(numbers(0, 1000, 3, 1));
  EXPECT_EQ(count(set, Split::train), 2400U);
  EXPECT_EQ(count(set, Split::validation), 300U);
  EXPECT_EQ(count(set, Split::test), 300U);
  EXPECT_EQ(set.moved_to_training, 0);
  ExampleOptions options;
  options.validation_share = 0.25;
  options.test_share = 0;
  const ExampleSet quarter = read_held_out(numbers(0, 1000, 1, 1), options);
  EXPECT_EQ(count(quarter, Split::validation), 250U);
  EXPECT_EQ(count(quarter, Split::test), 0U);
}

TEST(HeldOut, NoMoreThanAskedFor) {
  ExampleOptions options;
  options.most_held_out = 20;
  const ExampleSet set = read_held_out(numbers(0, 1000, 3, 1), options);
  EXPECT_EQ(count(set, Split::validation), 18U);  // six whole inputs
  EXPECT_EQ(count(set, Split::test), 18U);
  EXPECT_EQ(count(set, Split::train), 2964U);
  options.most_held_out = 0;
  EXPECT_EQ(count(read_held_out(numbers(0, 1000, 3, 1), options), Split::train), 3000U);
}

TEST(HeldOut, DependsOnInputsAndSeedAlone) {
  const auto first = splits_by_input(read_held_out(numbers(0, 1000, 1, 1)));
  EXPECT_EQ(first, splits_by_input(read_held_out(numbers(0, 1000, 1, 2))));
  ExampleOptions options;
  options.seed = 2;
  const auto second = splits_by_input(read_held_out(numbers(0, 1000, 1, 1), options));
  int both = 0;
  for (const auto& [input, split] : first)
    both += split == Split::test && second.at(input) == Split::test ? 1 : 0;
  EXPECT_LT(both, 30);  // 100 inputs out of 1000: 10 by chance
}

TEST(HeldOut, TheSameEverywhere) {  // from an independent version in Python
  const std::vector<std::string> words{"a", "é", "eightlet", "nineletters", "twenty_letters_long"};
  std::string text = "input,output\n";
  for (const std::string& first : words)
    for (const std::string& second : words) text += first + " " + second + ",a\n";
  ExampleOptions options;
  options.seed = 42;
  const auto splits = splits_by_input(read_held_out(text, options));
  std::vector<std::string> validation;
  std::vector<std::string> test;
  for (const auto& [input, split] : splits) {
    if (split == Split::validation) validation.push_back(input);
    if (split == Split::test) test.push_back(input);
  }
  EXPECT_EQ(validation, (std::vector<std::string>{"nineletters nineletters", "nineletters é"}));
  EXPECT_EQ(test, (std::vector<std::string>{"a a", "eightlet nineletters"}));
}

TEST(HeldOut, NewTokensMoveNothing) {
  // "-1" comes before every digit, so that all ids change.
  const auto before = splits_by_input(read_held_out(numbers(0, 1000, 1, 1)));
  const auto after = splits_by_input(read_held_out(numbers(0, 1000, 1, 1) + "-1 -1,-1\n"));
  for (const auto& [input, split] : before) EXPECT_EQ(after.at(input), split) << input;
}

TEST(HeldOut, MoreLinesMoveFewInputs) {
  const auto before = splits_by_input(read_held_out(numbers(0, 900, 1, 1)));
  const auto after = splits_by_input(read_held_out(numbers(0, 1000, 1, 1)));
  int moved = 0;
  for (const auto& [input, split] : before) moved += after.at(input) != split ? 1 : 0;
  EXPECT_LT(moved, 60);  // drawn anew it would be 306 of 900
}

TEST(HeldOut, SpreadsOverTheInputs) {
  const ExampleSet set = read_held_out(numbers(0, 1000, 1, 1));
  std::array<int, 10> tested{};
  for (const std::int32_t i : set.examples_in(Split::test)) ++tested[to_size(set.input(i)[0])];
  for (const int hits : tested) {
    EXPECT_GT(hits, 1);  // 10 expected, standard deviation 3
    EXPECT_LT(hits, 22);
  }
}

TEST(HeldOut, TrainingKeepsEveryTokenAndLabel) {
  // Each of 40 words is there once; a few are everywhere.
  std::string text = "input,label\n";
  for (int i = 0; i < 40; ++i) text += "word" + std::to_string(i) + " a,common\n";
  for (int i = 0; i < 40; ++i) text += std::string(to_size(i + 1), 'a') + ",common\n";
  text += "a a,rare\n";
  for (int i = 0; i < 40; ++i) {
    std::string input;
    for (int k = 0; k <= i; ++k) input += "b ";
    text += input + ",common\n";
  }
  ExampleOptions options;
  options.validation_share = 0.12;
  options.test_share = 0.12;
  const ExampleSet set = read_held_out(text, options);  // broken_promise() looks
  EXPECT_EQ(count(set, Split::validation), 14U);
  EXPECT_EQ(count(set, Split::test), 14U);
  EXPECT_GT(set.moved_to_training, 0);
  for (Index i = 0; i < 80; ++i) EXPECT_EQ(set.split(i) == Split::train, i != 40) << i;
}

TEST(HeldOut, WhatIsPassedOverStandsInNobodysWay) {
  // Five inputs have a word of their own; with them in training, all others can be held out.
  std::string text = "input,output\n";
  std::string input;
  for (int i = 0; i < 5; ++i) text += "word" + std::to_string(i) + " x,y\n";
  for (int i = 0; i < 30; ++i) text += (input += "x ") + ",y\n";
  ExampleOptions options;
  options.validation_share = 0.9;
  options.test_share = 0;
  const ExampleSet set = read_held_out(text, options);
  EXPECT_EQ(count(set, Split::validation), 30U);
  EXPECT_EQ(set.moved_to_training, 5);
}

TEST(HeldOut, SmallFiles) {
  const ExampleSet one = read_held_out("input,output\n1,1\n1,1\n");
  EXPECT_EQ(count(one, Split::train), 2U);
  EXPECT_EQ(one.moved_to_training, 0);
  const ExampleSet four = read_held_out("input,output\n1,1\n2,2\n1 2,1\n2 1,2\n");
  EXPECT_EQ(count(four, Split::train), 2U);
  EXPECT_EQ(count(four, Split::validation), 1U);
  EXPECT_EQ(count(four, Split::test), 1U);
  // Every input is there more often than a tenth of the lines: the smallest are held out.
  std::string text = "input,output\n";
  for (const char* input : {"1", "2", "1 2", "2 1", "1 1"})
    for (int k = 0; k < (input == std::string("1 1") ? 25 : 20); ++k)
      text += std::string(input) + ",1 2\n";
  const ExampleSet few = read_held_out(text);
  EXPECT_EQ(count(few, Split::validation), 20U);
  EXPECT_EQ(count(few, Split::test), 20U);
}

}  // namespace
}  // namespace heddle
