// See sortedness_explanations.hpp.
#include "tests/support/report/sortedness_explanations.hpp"

#include <cmath>

#include <fmt/format.h>

namespace heddle::testing {
namespace {

SortCurve curve(const std::string& label, const std::vector<double>& x, double (*y)(double),
                double wide) {
  SortCurve out;
  out.label = label;
  for (const double at : x) {
    out.x.push_back(at);
    out.y.push_back(y(at));
    if (wide == 0) continue;
    out.low.push_back(y(at) / (1 + wide));
    out.high.push_back(y(at) * (1 + wide));
  }
  return out;
}

SortMap matrix(const std::string& label, std::int64_t rows, std::int64_t columns,
               double (*value)(double, double)) {
  SortMap map;
  map.label = label;
  map.note = "made up";
  map.rows = rows;
  map.columns = columns;
  for (std::int64_t i = 0; i < rows; ++i)
    for (std::int64_t k = 0; k < columns; ++k)
      map.values.push_back(value(static_cast<double>(i), static_cast<double>(k)));
  return map;
}

double sinusoid(double position, double column) {
  return std::sin(position * std::pow(10'000, -std::floor(column / 2) / 16) +
                  std::fmod(column, 2) * 1.57);
}
double near(double query, double key) {
  return key > query ? 0 : std::exp(-(query - key));
}

SortExplanation& add(SortednessStudy& study, const std::string& id, const std::string& title,
                     const std::string& formula) {
  SortExplanation& explanation = study.explanations.emplace_back();
  explanation.id = id;
  explanation.title = title;
  explanation.formula = formula;
  return explanation;
}

void add_maps(SortednessStudy& study) {
  SortMap table = matrix("learned table", 64, 32, [](double i, double k) {
    return (i < 16 ? 1 : 0.2) * sinusoid(i, k + i);
  });
  table.trained_rows = 16;
  add(study, "encodings", "The encodings themselves", "what is added to the input at each position")
      .maps = {matrix("sinusoidal", 64, 32, sinusoid), table,
               matrix("sinusoidal, similarity", 64, 64,
                      [](double i, double k) { return std::cos((i - k) / 8); })};
  SortExplanation& embedding = add(study, "embedding", "The learned table after training",
                                   "rows past the training range were never updated");
  embedding.x_label = "row";
  embedding.y_label = "distance from the initial value";
  embedding.measured = {curve(
      "learned-mean", {0, 4, 8, 12, 16, 20, 24}, [](double i) { return i < 16 ? 2.5 : 0.0; }, 0)};
  embedding.maps = {table};
  SortMap small =
      matrix("a recipe with a long name, encoder.1.self.head.0 at length 16", 16, 16, near);
  for (int i = 0; i < 16; ++i) {
    small.row_names.push_back(fmt::format("{}", 3 * i));
    small.column_names.push_back(fmt::format("{}", 3 * i));
  }
  SortMap wide =
      matrix("a recipe with a long name, encoder.1.self.head.0 at length 256", 256, 256, near);
  for (double& weight : wide.values) weight /= 2;
  add(study, "attention", "Attention at 16 against 256",
      "the same head on a short and on a long sequence")
      .maps = {small, wide};
}

void add_dilution(SortednessStudy& study) {
  const std::vector<double> lengths{8, 16, 32, 64, 128, 256, 1024, 4096};
  SortExplanation& dilution =
      add(study, "dilution", "Mean pooling dilutes one violation",
          "one violation among L tokens moves the mean by 1/L of its own size");
  dilution.x_label = "length";
  dilution.y_label = "signal in the pooled vector";
  dilution.log_x = true;
  dilution.predicted = {curve("sinusoidal-mean", lengths, [](double x) { return 1 / x; }, 0)};
  dilution.measured = {curve(
                           "sinusoidal-mean", lengths, [](double x) { return 1.1 / x; }, 0.2),
                       curve("alibi-max", lengths, [](double) { return 0.8; }, 0.1)};
}

void add_identity(SortednessStudy& study) {
  const std::vector<double> gaps{-16, -8, -4, -2, -1, 0, 1, 2, 4, 8, 16};
  const auto falls = [](double d) { return std::exp(-std::abs(d) / 6); };
  SortExplanation& identity =
      add(study, "identity", "Products of sinusoids",
          "P(t)·P(s) = Σ cos(ω(t − s)): a function of t − s alone, unless W stands between");
  identity.x_label = "t − s";
  identity.y_label = "product over its largest";
  identity.predicted = {curve("untrained", gaps, falls, 0)};
  identity.measured = {
      curve("untrained", gaps, falls, 0.05),
      curve("through W_Q and W_K", gaps, [](double d) { return std::cos(d / 5); }, 0)};
}

/// The reports' own numbers, as curves.
void add_reported(SortednessStudy& study) {
  SortExplanation& reported =
      add(study, "reported", "What the reports said", "accuracies as printed");
  const std::vector<double> lengths{32, 64, 128, 256};
  reported.predicted = {
      curve(
          "A, C: sinusoidal", lengths, [](double x) { return 0.45 + x / 4000; }, 0),
      curve("A, C: learned", lengths, [](double x) { return 0.55 - x / 4000; }, 0)};
}

}  // namespace

void add_explanations(SortednessStudy& study) {
  add_dilution(study);
  add_identity(study);
  add_reported(study);
  add_maps(study);
}

}  // namespace heddle::testing
