// See tables.hpp.
#include "heddle/lens/audit/tables.hpp"

#include <algorithm>

#include "heddle/base/index.hpp"

namespace heddle {
namespace {

/// Tokens of a stream that are read in the questions, padding left out.
std::set<Index> tokens_read(const AuditSubject& s, Stream stream) {
  std::set<Index> read;
  for (Index row = 0; row < s.asked.size; ++row) {
    const auto tokens = s.asked.tokens(stream, row);
    const auto used = to_size(s.asked.used(stream, row));
    for (const std::int32_t token : tokens.first(std::min(used, tokens.size()))) read.insert(token);
  }
  return read;
}

/// Places that the questions read. Counting encodings give every place one of the first rows.
std::set<Index> places_read(const AuditSubject& s, Stream stream, Index rows) {
  const ModelConfig& model = s.member.config.model;
  Index last = rows;
  if (counts_digits(model.position)) {
    last = rows - model.position_starts + 1;
  } else {
    last = 0;
    for (Index row = 0; row < s.asked.size; ++row) last = std::max(last, s.asked.used(stream, row));
  }
  std::set<Index> read;
  for (Index place = 0; place < std::min(last, rows); ++place) read.insert(place);
  return read;
}

}  // namespace

std::vector<AuditTable> audit_tables(const AuditSubject& s) {
  std::vector<AuditTable> tables;
  const auto& specs = s.member.model->layout().specs();
  for (std::size_t i = 0; i < specs.size(); ++i) {
    const TapPoint& point = s.member.model->taps()[specs[i].tap];
    const bool places = point.role == TapRole::position_table;
    if (!places && point.role != TapRole::token_table) continue;
    tables.push_back({.id = static_cast<WeightId>(i),
                      .path = point.path,
                      .stream = point.stream,
                      .places = places,
                      .used = places ? places_read(s, point.stream, specs[i].shape[0])
                                     : tokens_read(s, point.stream)});
  }
  return tables;
}

std::string row_name(const AuditSubject& s, const AuditTable& table, Index row) {
  if (table.places) return std::to_string(row);
  return s.token(static_cast<std::int32_t>(row));
}

std::span<const float> row_of(const Tensor& table, Index row) {
  const auto width = to_size(table.dim(-1));
  return table.flat<float>().subspan(to_size(row) * width, width);
}

}  // namespace heddle
