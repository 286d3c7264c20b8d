// See tables.hpp.
#include "heddle/lens/audit/tables.hpp"

#include <algorithm>

#include "heddle/task/addition/tokens.hpp"

namespace heddle {
namespace {

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

}  // namespace

std::vector<AuditTable> audit_tables(const AuditSubject& s) {
  std::vector<AuditTable> tables;
  const auto& specs = s.member.model->layout().specs();
  for (std::size_t i = 0; i < specs.size(); ++i) {
    const std::string& path = specs[i].path;
    const bool places = path.ends_with(".embed.position");
    if (!places && !path.ends_with(".embed.token")) continue;
    const bool encoder = path.starts_with("encoder");
    tables.push_back(
        {static_cast<WeightId>(i), path, places,
         places ? places_read(s, encoder, specs[i].shape[0]) : tokens_read(s, encoder)});
  }
  return tables;
}

std::string row_name(const AuditSubject& s, const AuditTable& table, Index row) {
  if (table.places) return std::to_string(row);
  return s.task != nullptr ? s.task->token(static_cast<std::int32_t>(row)) : std::to_string(row);
}

std::span<const float> row_of(const Tensor& table, Index row) {
  const auto width = static_cast<std::size_t>(table.dim(-1));
  return table.flat<float>().subspan(static_cast<std::size_t>(row) * width, width);
}

}  // namespace heddle
