// The records that examinations leave in the members' folders, read back.
#pragma once

#include <string>

#include "heddle/base/file.hpp"
#include "heddle/base/text.hpp"
#include "heddle/record/tree.hpp"

namespace heddle {

/// FileError, one line with the path, for what is missing or damaged.
template <class Record>
Record read_member_record(const std::string& path) {
  const std::string text = read_file(path);
  try {
    return from_tree<Record>(Json::parse(text));
  } catch (const Json::exception& error) {
    throw FileError(fmt::format("{} is damaged ({}); remove it and run the study again",
                                quote_path(path), error.what()));
  } catch (const Error& error) {
    throw FileError(fmt::format("{} is damaged ({}); remove it and run the study again",
                                quote_path(path), error.what()));
  }
}

}  // namespace heddle
