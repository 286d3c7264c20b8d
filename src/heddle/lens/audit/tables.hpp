// The tables of a model whose rows belong to tokens or to places.
#pragma once

#include <set>
#include <span>
#include <string>
#include <vector>

#include "heddle/lens/audit/parts.hpp"

namespace heddle {

/// One of them, and which of its rows the questions read.
struct AuditTable {
  WeightId id = -1;
  std::string path;
  Stream stream = Stream::none;  ///< whose tokens or places they are
  bool places = false;
  std::set<Index> used;
};

std::vector<AuditTable> audit_tables(const AuditSubject& subject);

/// The token or the place of a row.
std::string row_name(const AuditSubject& subject, const AuditTable& table, Index row);
std::span<const float> row_of(const Tensor& table, Index row);

}  // namespace heddle
