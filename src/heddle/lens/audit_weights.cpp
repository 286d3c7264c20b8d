// Checks of a run's weights: numbers that are none, rows that never trained, a faint position table.
#include <algorithm>
#include <cmath>
#include <optional>
#include <set>

#include "heddle/base/file.hpp"
#include "heddle/base/text.hpp"
#include "heddle/lens/audit_parts.hpp"
#include "heddle/model/checkpoint.hpp"
#include "heddle/task/vocabulary.hpp"

namespace heddle {
namespace {

constexpr const char* kStartWeights = "start.safetensors";  // what a fine-tuning begins with

std::span<const float> row_of(const Tensor& table, Index row) {
  const auto width = static_cast<std::size_t>(table.dim(-1));
  return table.flat<float>().subspan(static_cast<std::size_t>(row) * width, width);
}

AuditCheck numbers(const AuditSubject& s) {
  AuditCheck check{.name = "finite weights"};
  std::int64_t bad = 0;
  std::string where;
  const auto& specs = s.member.model->layout().specs();
  for (std::size_t id = 0; id < specs.size(); ++id)
    for (const float w : s.member.weights.value(static_cast<WeightId>(id)).flat<float>()) {
      if (std::isfinite(w)) continue;
      if (bad++ == 0) where = specs[id].path;
    }
  check.finding = fmt::format("{} of {} weights are NaN or infinite", format_count(bad),
                              format_count(s.member.model->layout().parameter_count()));
  if (bad == 0) return check;
  check.verdict = AuditCheck::kFail;
  check.evidence = {{"first of them in", where}};
  check.meaning = "every answer that reads them is meaningless";
  check.advice = "train again with a smaller train.lr or with train.clip";
  return check;
}

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

/// A table whose rows belong to tokens or to places, and which rows the questions read.
struct Table {
  WeightId id = -1;
  std::string path;
  bool places = false;
  std::set<Index> used;
};

std::int32_t pad_of(const Config& config) {
  return config.task.name == TaskKind::addition ? kPad : shape_of(config.task).pad();
}

/// Tokens that the encoder or the decoder reads in the questions, padding left out.
std::set<Index> tokens_read(const AuditSubject& s, bool encoder) {
  std::set<Index> read;
  for (Index row = 0; row < s.asked.size(); ++row) {
    const auto tokens = encoder ? s.asked.source_row(row) : s.asked.target_row(row);
    const auto used = static_cast<std::size_t>(s.asked.used(encoder, row));
    for (const std::int32_t token : tokens.first(std::min(used, tokens.size()))) read.insert(token);
  }
  return read;
}

/// Places that the questions read. Counting encodings give every place one of the first rows.
std::set<Index> places_read(const AuditSubject& s, bool encoder, Index rows) {
  const ModelConfig& model = s.member.config.model;
  Index last = rows;
  if (counts_digits(model.position)) {
    last = rows - model.position_starts + 1;
  } else {
    last = 0;
    for (Index row = 0; row < s.asked.size(); ++row)
      last = std::max(last, s.asked.used(encoder, row));
  }
  std::set<Index> read;
  for (Index place = 0; place < std::min(last, rows); ++place) read.insert(place);
  return read;
}

std::vector<Table> tables_of(const AuditSubject& s) {
  std::vector<Table> tables;
  const auto& specs = s.member.model->layout().specs();
  for (std::size_t i = 0; i < specs.size(); ++i) {
    const std::string& path = specs[i].path;
    const bool places = path.ends_with(".embed.position");
    if (!places && !path.ends_with(".embed.token")) continue;
    const bool encoder = path.starts_with("encoder");
    tables.push_back({static_cast<WeightId>(i), path, places,
                      places ? places_read(s, encoder, specs[i].shape[0]) : tokens_read(s, encoder)});
  }
  return tables;
}

std::string row_name(const AuditSubject& s, const Table& table, Index row) {
  if (table.places) return std::to_string(row);
  return s.task != nullptr ? s.task->token(static_cast<std::int32_t>(row)) : std::to_string(row);
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

Unmoved unmoved_rows(const AuditSubject& s, const Table& table, const Weights& start) {
  const Tensor now = s.member.weights.value(table.id), then = start.value(table.id);
  Unmoved unmoved;
  for (Index row = 0; row < now.dim(0); ++row) {
    if (!same_row(row_of(now, row), row_of(then, row))) continue;
    const bool padding = !table.places && row == pad_of(s.member.config);
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
      same = now.data<float>()[row * columns + column] == then.data<float>()[row * columns + column];
    if (same)
      names.push_back(s.task != nullptr ? s.task->token(static_cast<std::int32_t>(column))
                                        : std::to_string(column));
  }
  return names;
}

void fail_untrained(AuditCheck& check, std::string finding) {
  check.verdict = AuditCheck::kFail;
  check.finding = std::move(finding);
  check.meaning = "the questions read noise there that no training has touched";
  check.advice = "let what is asked occur in training, at every place";
}

/// Without the start: rows that are zero, or equal to another.
AuditCheck odd_rows(const AuditSubject& s, AuditCheck check) {
  std::vector<std::string> odd;
  for (const Table& table : tables_of(s)) {
    const Tensor now = s.member.weights.value(table.id);
    for (const Index row : table.used) {
      bool strange = zero_row(row_of(now, row));
      for (const Index other : table.used)
        strange = strange || (other < row && std::ranges::equal(row_of(now, row), row_of(now, other)));
      if (strange) odd.push_back(fmt::format("{} {}", table.path, row_name(s, table, row)));
    }
  }
  if (!odd.empty()) {
    check.evidence = {{"rows that are zero or equal to another", some_names(odd)}};
    fail_untrained(check, fmt::format("{} rows that the questions read are zero or equal to another",
                                      odd.size()));
    return check;
  }
  return could_not_tell(check.name,
                        "nothing says what the weights were before training; of the rows that are "
                        "read none is zero and no two are equal");
}

AuditCheck untrained_rows(const AuditSubject& s) {
  AuditCheck check{.name = "untrained rows"};
  const std::optional<Weights> start = start_of(s);
  if (!start) return odd_rows(s, std::move(check));
  std::int64_t read = 0;
  std::vector<std::string> never;
  for (const Table& table : tables_of(s)) {
    const Unmoved unmoved = unmoved_rows(s, table, *start);
    read += std::ssize(table.used);
    for (const std::string& name : unmoved.read)
      never.push_back(fmt::format("{} {}", table.path, name));
    check.evidence.push_back({fmt::format("{}: unmoved and never read (as expected)", table.path),
                              some_names(unmoved.unread)});
  }
  const std::vector<std::string> outputs = unmoved_outputs(s, *start);
  if (!s.asked.labels())
    check.evidence.push_back({"unembed.w: unmoved columns", some_names(outputs)});
  for (const std::string& name : outputs) never.push_back("unembed.w " + name);
  check.finding = fmt::format("of {} rows that the questions read, all have moved", read);
  if (never.empty()) return check;
  check.evidence.push_back({"unmoved, though read", some_names(never)});
  fail_untrained(check, fmt::format("{} rows that the questions read never moved: {}", never.size(),
                                    some_names(never)));
  return check;
}

/// √ of the mean square over these rows.
double size_of(const Tensor& table, const std::set<Index>& rows) {
  double sum = 0, count = 0;
  for (const Index row : rows)
    for (const float w : row_of(table, row)) {
      sum += static_cast<double>(w) * static_cast<double>(w);
      ++count;
    }
  return count > 0 ? std::sqrt(sum / count) : 0;
}

AuditCheck position_scale(const AuditSubject& s) {
  constexpr double kFaint = 0.25, kLoud = 4;
  AuditCheck check{.name = "size of positions"};
  double worst = 1;
  for (const Table& positions : tables_of(s)) {
    if (!positions.places) continue;
    for (const Table& tokens : tables_of(s)) {
      if (tokens.places || tokens.path.front() != positions.path.front()) continue;
      const double place = size_of(s.member.weights.value(positions.id), positions.used);
      const double token = size_of(s.member.weights.value(tokens.id), tokens.used);
      const double ratio = token > 0 ? place / token : 0;
      check.evidence.push_back({fmt::format("{} against {}", positions.path, tokens.path),
                                fmt::format("{:.3g} against {:.3g}: {:.3g}", place, token, ratio)});
      if (std::abs(std::log(std::max(ratio, 1e-9))) > std::abs(std::log(worst))) worst = ratio;
      worst = std::max(worst, 1e-9);
    }
  }
  if (check.evidence.empty())
    return not_applicable(check.name, "the model has no table of positions");
  check.finding = fmt::format("position rows are {:.3g} times as large as token rows", worst);
  if (worst >= kFaint && worst <= kLoud) return check;
  check.verdict = worst < kFaint ? AuditCheck::kFail : AuditCheck::kNote;
  check.meaning = worst < kFaint ? "positions are too faint to be read beside the tokens"
                                 : "positions drown the tokens that they are added to";
  check.advice = "let both start at the same size (model.position_deviation=1)";
  return check;
}

AuditCheck deep_post_norm(const AuditSubject& s) {
  constexpr std::int64_t kDeep = 4;
  const ModelConfig& model = s.member.config.model;
  const std::int64_t layers = s.member.config.classifies()
                                  ? model.layers
                                  : std::max(model.encoder_layers, model.decoder_layers);
  AuditCheck check{.name = "norm and warm-up",
                   .finding = fmt::format("{}-norm, {} layers, warm-up of {} steps",
                                          field_text(model.norm), layers,
                                          s.member.config.train.warmup)};
  if (model.norm != NormKind::post || layers < kDeep || s.member.config.train.warmup > 0)
    return check;
  check.verdict = AuditCheck::kNote;
  check.meaning = "deep post-norm without warm-up often stays on the plateau of the label entropy";
  check.advice = "take pre-norm, or a warm-up of some hundred steps";
  return check;
}

}  // namespace

void audit_weights(const AuditSubject& s, AuditChecks& checks) {
  checks.push_back(numbers(s));
  checks.push_back(untrained_rows(s));
  checks.push_back(position_scale(s));
  checks.push_back(deep_post_norm(s));
}

}  // namespace heddle
