// The report on a file's examples: numbers worked out by hand, and its words.
#include "heddle/task/file/example_report.hpp"

#include <gtest/gtest.h>

#include "tests/support/example_text.hpp"

namespace heddle {
namespace {

using Lines = std::vector<std::string>;

ExampleSet read(std::string_view text) {
  ExampleSet set = read_examples(text_source(text), ExampleFile::csv);
  EXPECT_EQ(broken_promise(set, {}), "");
  return set;
}

const char* const kLabelled =
    "input,label,split\n"
    "1 2,no,train\n"        // 2
    "2 1,yes,train\n"       // 3
    "1 2 2,no,train\n"      // 4
    "1 2,no,train\n"        // 5: as 2
    "1 2,yes,validation\n"  // 6: not as 2, and leaked
    "2,no,validation\n"     // 7
    "1 2 2,no,test\n"       // 8: as 4, and leaked
    "2,yes,test\n"          // 9: not as 7; in no training, but in two splits
    "2 1,yes,train\n"       // 10: as 3
    "2 2,yes,test\n";       // 11

TEST(ExampleReport, CountsByHand) {
  const ExampleReport report = report_of(read(kLabelled));
  EXPECT_EQ(report.examples, 10);
  EXPECT_EQ(report.inputs, 5);
  EXPECT_EQ(report.tokens, 2);
  EXPECT_TRUE(report.own_splits);
  EXPECT_EQ(report.split_sizes, (std::array<Index, 3>{5, 2, 3}));
  EXPECT_EQ(report.duplicates.count, 3);
  EXPECT_EQ(report.duplicates.first_line, 2);
  EXPECT_EQ(report.duplicates.second_line, 5);
  EXPECT_EQ(report.contradictions.count, 2);
  EXPECT_EQ(report.contradictions.first_line, 2);
  EXPECT_EQ(report.contradictions.second_line, 6);
  EXPECT_EQ(report.leaks.count, 3);
  EXPECT_EQ(report.leaks.first_line, 2);
  EXPECT_EQ(report.leaks.second_line, 6);
  EXPECT_EQ(report.leaked_examples, (std::array<Index, 3>{0, 1, 1}));
  EXPECT_EQ(report.labels, (Lines{"no", "yes"}));
  EXPECT_EQ(report.label_counts[0], (std::array<Index, 3>{3, 1, 1}));
  EXPECT_EQ(report.label_counts[1], (std::array<Index, 3>{2, 1, 2}));
  EXPECT_EQ(report.majority, "no");
  EXPECT_DOUBLE_EQ(report.majority_share[0], 3.0 / 5);
  EXPECT_DOUBLE_EQ(report.majority_share[1], 1.0 / 2);
  EXPECT_DOUBLE_EQ(report.majority_share[2], 1.0 / 3);
}

TEST(ExampleReport, LinesInTheFilesOrder) {
  const ExampleReport report = report_of(read("input,label\n1,yes\n1,no\n1,no\n"));
  EXPECT_EQ(report.contradictions.first_line, 2);
  EXPECT_EQ(report.contradictions.second_line, 3);
  EXPECT_EQ(report.duplicates.first_line, 3);
  EXPECT_EQ(report.duplicates.second_line, 4);
}

TEST(ExampleReport, TheMajorityIsThatOfTraining) {
  const ExampleReport report = report_of(
      read("input,label,split\n1,yes,test\n1,no,train\n1,yes,train\n1,yes,test\n1,no,train\n"));
  EXPECT_EQ(report.majority, "no");
  EXPECT_DOUBLE_EQ(report.majority_share[0], 2.0 / 3);
  EXPECT_DOUBLE_EQ(report.majority_share[2], 0);
}

TEST(ExampleReport, LengthsAndTheFirstTokenOfPairs) {
  const ExampleReport report = report_of(
      read("input,output,split\n1,2 1 2,train\n1 1,2,train\n1 2 1 2,1 1,train\n1 1 1,2 2,train\n"));
  EXPECT_EQ(report.input_lengths.shortest, 1);
  EXPECT_EQ(report.input_lengths.median, 2);
  EXPECT_EQ(report.input_lengths.longest, 4);
  EXPECT_EQ(report.output_lengths.shortest, 1);
  EXPECT_EQ(report.output_lengths.median, 2);
  EXPECT_EQ(report.output_lengths.longest, 3);
  EXPECT_EQ(report.majority, "2");
  EXPECT_DOUBLE_EQ(report.majority_share[0], 0.75);
  EXPECT_DOUBLE_EQ(report.majority_share[2], 0);
  EXPECT_TRUE(report.labels.empty());
}

TEST(ExampleReport, InWords) {
  const ExampleSet set = read(kLabelled);
  EXPECT_EQ(
      report_lines(report_of(set)),
      (Lines{
          "10 examples, 5 different inputs, 2 different tokens, 2 labels",
          "train 5, validation 2, test 3: as the file says",
          "inputs of 1 to 3 tokens (median 2)",
          "labels in training: 'no' 60.0 %, 'yes' 40.0 %",
          "always answering 'no' would be right in 60.0 % of training, 50.0 % of validation, "
          "33.3 % of test",
          "3 examples are the same as an earlier one, such as lines 2 and 5",
          "2 inputs with more than one answer, such as lines 2 and 6: at most one can be right",
          "LEAK: 3 inputs in more than one split, such as lines 2 and 6; training has the "
          "inputs of 1 of 2 validation and 1 of 3 test examples",
          "hash " + content_hash(set),
      }));
}

TEST(ExampleReport, InWordsForPairs) {
  const ExampleSet set = read("input,output\na b,c\nb a,c\na b,c\n");
  EXPECT_EQ(report_lines(report_of(set)),
            (Lines{
                "3 examples, 2 different inputs, 3 different tokens",
                "train 2, validation 1, test 0: by a hash of the input, so that equal inputs stay "
                "together",
                "inputs of 2 to 2 tokens (median 2), outputs of 1 to 1 tokens (median 1)",
                "always beginning with 'c' would be right in 100.0 % of training, 100.0 % of "
                "validation",
                "1 example is the same as an earlier one, such as lines 2 and 4",
                "hash " + content_hash(set),
            }));
}

TEST(ExampleReport, ManyLabelsAreCutShort) {
  std::string text = "input,label,split\n";
  for (int i = 0; i < 20; ++i) text += "1,label " + std::to_string(i) + ",train\n";
  text += "1,label 7,train\n";
  const Lines lines = report_lines(report_of(read(text)));
  EXPECT_EQ(
      lines[3],
      "labels in training: 'label 7' 9.5 %, 'label 0' 4.8 %, 'label 1' 4.8 %, 'label 10' 4.8 %, "
      "'label 11' 4.8 %, 'label 12' 4.8 %, 'label 13' 4.8 %, 'label 14' 4.8 % and 12 more");
}

TEST(ExampleReport, WhatCouldNotBeHeldOut) {
  const ExampleSet set = read("input,output\na,x\nb,x\nc,x\n");
  EXPECT_EQ(set.moved_to_training, 3);
  const Lines lines = report_lines(report_of(set));
  EXPECT_EQ(lines[lines.size() - 2],
            "3 examples could not be held out: nothing else has one of the tokens, or the label");
}

}  // namespace
}  // namespace heddle
