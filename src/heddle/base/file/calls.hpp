// The system calls of base/file, one function each: the one door through which files are touched.
// Each gives −1 and errno on failure and goes on where a signal cut it short. faults.hpp can
// let any of them fail.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <sys/stat.h>
#include <sys/types.h>

namespace heddle::file_calls {

int open(const std::string& path, int flags, mode_t mode = 0);
ssize_t read(int descriptor, std::span<std::byte> bytes);
ssize_t write(int descriptor, std::string_view text);
ssize_t write_at(int descriptor, std::string_view text, std::uint64_t offset);
int sync(int descriptor);
/// The descriptor is gone whatever comes back.
int close(int descriptor);
int lock(int descriptor, int how);
int look(const std::string& path, struct stat& found);
int look(int descriptor, struct stat& found);
/// Where links lead.
int real_path(const std::string& path, std::string& real);
int move(const std::string& from, const std::string& to);
int remove(const std::string& path);
int make_folder(const std::string& path, mode_t mode);
int remove_folder(const std::string& path);
/// The names in a folder, in order.
int list(const std::string& folder, std::vector<std::string>& names);

}  // namespace heddle::file_calls
