// The records that examinations leave in the members' folders, read back.
#pragma once

#include <string>

#include "heddle/base/checked_json.hpp"
#include "heddle/base/text.hpp"
#include "heddle/record/tree.hpp"

namespace heddle {

/// FileError, one line with the path, for what is missing or damaged.
template <class Record>
Record read_member_record(const std::string& path) {
  const Json tree = read_checked_json(path, "; remove it and run the study again");
  try {
    return from_tree<Record>(tree);
  } catch (const Error& error) {
    throw FileError(fmt::format("{} is damaged ({}); remove it and run the study again",
                                quote_path(path), error.what()));
  }
}

}  // namespace heddle
