// What an evaluation of a sortedness model found on one set: one length, one kind of negatives.
#pragma once

#include <cstdint>
#include <string>

namespace heddle {

struct SortCell {
  std::int64_t length = 0;
  std::string kind;        ///< of the negatives: "swaps", "adjacent", …
  std::int64_t delta = 0;  ///< depth of `dip`; 0 for every other kind
  std::string values;      ///< "uniform", "windowed", "mixed"
  std::int64_t correct = 0;
  std::int64_t total = 0;
  double low = 0, high = 1;  ///< Wilson interval of correct / total
  double tpr = 0;            ///< share of sorted sequences that were called sorted
  double tnr = 0;            ///< share of unsorted sequences that were called unsorted
  double auroc = 0.5;
  double predicted_positive = 0;   ///< share of all sequences that were called sorted
  bool constant = false;           ///< at least 99 % got one answer
  double threshold = 0;            ///< called sorted above this margin
  double ceiling = -1;             ///< most that any such model can expect; −1 = none known
  std::int64_t pairs_correct = 0;  ///< twins of which both are right
  std::int64_t pairs_total = 0;    ///< 0 where the set has no twins
  double ties = 0;                 ///< share of equal neighbours, in the sorted sequences
  double gap1 = 0;                 ///< share of their unequal neighbours that differ by 1
  double descents = 0;             ///< of an unsorted sequence, on average

  static void fields(auto& self, auto&& field) {
    field("length", self.length);
    field("kind", self.kind);
    field("delta", self.delta);
    field("values", self.values);
    field("correct", self.correct);
    field("total", self.total);
    field("low", self.low);
    field("high", self.high);
    field("tpr", self.tpr);
    field("tnr", self.tnr);
    field("auroc", self.auroc);
    field("predicted_positive", self.predicted_positive);
    field("constant", self.constant);
    field("threshold", self.threshold);
    field("ceiling", self.ceiling);
    field("pairs_correct", self.pairs_correct);
    field("pairs_total", self.pairs_total);
    field("ties", self.ties);
    field("gap1", self.gap1);
    field("descents", self.descents);
  }
};

}  // namespace heddle
