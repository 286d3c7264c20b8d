// Checks of a run's weights: numbers that are none, faint positions, a recipe that stalls.
#include <algorithm>
#include <cmath>

#include "heddle/base/text.hpp"
#include "heddle/lens/audit/tables.hpp"

namespace heddle {
namespace {

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
  for (const AuditTable& positions : audit_tables(s)) {
    if (!positions.places) continue;
    for (const AuditTable& tokens : audit_tables(s)) {
      if (tokens.places || tokens.stream != positions.stream) continue;
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

/// Blocks that one stream passes.
std::int64_t blocks_of(const AuditSubject& s, Stream stream) {
  const TapTable& taps = s.member.model->taps();
  return std::ranges::count_if(taps.with_role(TapRole::block_end),
                               [&](TapId tap) { return taps[tap].stream == stream; });
}

AuditCheck deep_post_norm(const AuditSubject& s) {
  constexpr std::int64_t kDeep = 4;
  const ModelConfig& model = s.member.config.model;
  const std::int64_t layers = std::max(blocks_of(s, Stream::source), blocks_of(s, Stream::target));
  AuditCheck check{
      .name = "norm and warm-up",
      .finding = fmt::format("{}-norm, {} layers, warm-up of {} steps", field_text(model.norm),
                             layers, s.member.config.train.warmup)};
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
