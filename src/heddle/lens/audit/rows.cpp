// Rows that never trained: what stands where it started, though the questions read it.
#include <algorithm>
#include <cmath>
#include <optional>

#include "heddle/base/file.hpp"
#include "heddle/base/text.hpp"
#include "heddle/lens/audit/tables.hpp"
#include "heddle/model/checkpoint.hpp"

namespace heddle {
namespace {

constexpr const char* kStartWeights = "start.safetensors";  // what a fine-tuning begins with

/// The weights that training started from; nothing where nobody knows them.
std::optional<Weights> start_of(const AuditSubject& s) {
  if (s.log == nullptr) return std::nullopt;
  Weights start(s.member.model->layout(), DType::f32);
  const std::string file = s.run + "/" + kStartWeights;
  if (file_exists(file))
    load_weights(file, start);
  else
    start.initialise(s.member.config.seed);
  return start;
}

/// "BOS, EOS and 3 more".
std::string some_names(std::vector<std::string> names) {
  constexpr std::size_t kShown = 8;
  if (names.empty()) return "none";
  if (names.size() <= kShown) return join(names, ", ");
  const std::size_t more = names.size() - kShown;
  names.resize(kShown);
  return fmt::format("{} and {} more", join(names, ", "), more);
}

/// An average of weights that never moved is off by rounding alone.
bool same_row(std::span<const float> a, std::span<const float> b) {
  constexpr float kRounding = 1e-5F;
  return std::ranges::equal(a, b, [](float x, float y) { return std::abs(x - y) <= kRounding; });
}

bool zero_row(std::span<const float> row) {
  return std::ranges::all_of(row, [](float w) { return w == 0; });
}

/// Rows that stand where they started, told apart by whether the questions read them.
struct Unmoved {
  std::vector<std::string> read, unread;
};

Unmoved unmoved_rows(const AuditSubject& s, const AuditTable& table, const Weights& start) {
  const Tensor now = s.member.weights.value(table.id), then = start.value(table.id);
  Unmoved unmoved;
  for (Index row = 0; row < now.dim(0); ++row) {
    if (!same_row(row_of(now, row), row_of(then, row))) continue;
    const bool padding = !table.places && row == s.shape().pad();
    const bool read = table.used.contains(row) && !padding;
    (read ? unmoved.read : unmoved.unread).push_back(row_name(s, table, row));
  }
  return unmoved;
}

/// Columns of the output layer that belong to tokens and stand where they started.
std::vector<std::string> unmoved_outputs(const AuditSubject& s, const Weights& start) {
  std::vector<std::string> names;
  const auto& specs = s.member.model->layout().specs();
  const auto found = std::ranges::find(specs, "unembed.w", &WeightSpec::path);
  if (found == specs.end()) return names;
  const auto id = static_cast<WeightId>(found - specs.begin());
  const Tensor now = s.member.weights.value(id), then = start.value(id);
  const Index rows = now.dim(0), columns = now.dim(1);
  for (Index column = 0; column < columns; ++column) {
    bool same = true;
    for (Index row = 0; row < rows && same; ++row)
      same =
          now.data<float>()[row * columns + column] == then.data<float>()[row * columns + column];
    if (same) names.push_back(s.token(static_cast<std::int32_t>(column)));
  }
  return names;
}

void fail_untrained(AuditCheck& check, std::string finding) {
  check.verdict = AuditCheck::kFail;
  check.finding = std::move(finding);
  check.meaning = "the questions read noise there that no training has touched";
  check.advice = "let what is asked occur in training, at every place";
}

/// Of the rows that are read, those that are zero or equal to one that stands earlier.
std::vector<std::string> odd_rows_of(const AuditSubject& s, const AuditTable& table) {
  const Tensor now = s.member.weights.value(table.id);
  std::vector<Index> rows(table.used.begin(), table.used.end());
  std::ranges::stable_sort(rows, [&](Index a, Index b) {
    return std::ranges::lexicographical_compare(row_of(now, a), row_of(now, b));
  });
  std::vector<std::string> odd;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const auto row = row_of(now, rows[i]);
    const bool twin = i > 0 && std::ranges::equal(row, row_of(now, rows[i - 1]));
    if (twin || zero_row(row))
      odd.push_back(fmt::format("{} {}", table.path, row_name(s, table, rows[i])));
  }
  return odd;
}

/// What can be said without the weights before training.
AuditCheck odd_rows(const AuditSubject& s, AuditCheck check) {
  std::vector<std::string> odd;
  for (const AuditTable& table : audit_tables(s))
    for (std::string& name : odd_rows_of(s, table)) odd.push_back(std::move(name));
  if (odd.empty())
    return could_not_tell(check.name,
                          "nothing says what the weights were before training; of the rows that "
                          "are read none is zero and no two are equal");
  check.evidence = {{"rows that are zero or equal to another", some_names(odd)}};
  fail_untrained(check, fmt::format("{} rows that the questions read are zero or equal to another",
                                    odd.size()));
  return check;
}

}  // namespace

AuditCheck untrained_rows(const AuditSubject& s) {
  AuditCheck check{.name = "untrained rows"};
  const std::optional<Weights> start = start_of(s);
  if (!start) return odd_rows(s, std::move(check));
  std::int64_t read = 0;
  std::vector<std::string> never;
  for (const AuditTable& table : audit_tables(s)) {
    const Unmoved unmoved = unmoved_rows(s, table, *start);
    read += std::ssize(table.used);
    for (const std::string& name : unmoved.read)
      never.push_back(fmt::format("{} {}", table.path, name));
    check.evidence.push_back({fmt::format("{}: unmoved and never read (as expected)", table.path),
                              some_names(unmoved.unread)});
  }
  const std::vector<std::string> outputs = unmoved_outputs(s, *start);
  if (!s.asked.labels)
    check.evidence.push_back({"unembed.w: unmoved columns", some_names(outputs)});
  for (const std::string& name : outputs) never.push_back("unembed.w " + name);
  check.finding = fmt::format("of {} rows that the questions read, all have moved", read);
  if (never.empty()) return check;
  check.evidence.push_back({"unmoved, though read", some_names(never)});
  fail_untrained(check, fmt::format("{} rows that the questions read never moved: {}", never.size(),
                                    some_names(never)));
  return check;
}

}  // namespace heddle
