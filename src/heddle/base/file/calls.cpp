// See calls.hpp.
#include "heddle/base/file/calls.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <memory>

#include <dirent.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include "heddle/base/file/faults.hpp"

namespace heddle::file_calls {
namespace {

constexpr bool kReads = false, kChanges = true;

/// The call, unless a fault is armed for it; the call sees the fault.
template <class Call>
auto once(std::string_view name, std::string_view what, bool changes, const Call& call) {
  const FileFault fault = next_file_fault(name, what, changes);
  decltype(call(fault)) result = -1;
  if (fault.error == 0)
    result = call(fault);
  else
    errno = fault.error;
  after_file_call(fault);
  return result;
}

/// The same, again and again while signals cut it short.
template <class Call>
auto uninterrupted(std::string_view name, std::string_view what, bool changes, const Call& call) {
  for (;;) {
    const auto result = once(name, what, changes, call);
    if (result >= 0 || errno != EINTR) return result;
  }
}

/// At least one, or a reader would think that the file ends here.
std::size_t at_most(std::size_t bytes, const FileFault& fault) {
  return fault.shorter && bytes > 1 ? bytes / 2 : bytes;
}

struct FreeText {
  void operator()(char* text) const { std::free(text); }  // NOLINT: from C
};
struct CloseFolder {
  void operator()(DIR* folder) const { (void)::closedir(folder); }
};

std::string size_text(std::size_t bytes) {
  return fmt::format("{} bytes", bytes);
}

}  // namespace

int open(const std::string& path, int flags, mode_t mode) {
  const bool makes = (flags & O_CREAT) != 0;
  return uninterrupted(makes ? "create" : "open", path, makes, [&](const FileFault& /*fault*/) {
    return ::open(path.c_str(), flags | O_CLOEXEC, mode);
  });
}

ssize_t read(int descriptor, std::span<std::byte> bytes) {
  return uninterrupted("read", size_text(bytes.size()), kReads, [&](const FileFault& fault) {
    return ::read(descriptor, bytes.data(), at_most(bytes.size(), fault));
  });
}

ssize_t write(int descriptor, std::string_view text) {
  // Words to the reader come as time goes by: no call has the same number twice if they count.
  if (descriptor == STDERR_FILENO) return ::write(descriptor, text.data(), text.size());
  return uninterrupted("write", size_text(text.size()), kChanges, [&](const FileFault& fault) {
    return ::write(descriptor, text.data(), at_most(text.size(), fault));
  });
}

ssize_t write_at(int descriptor, std::string_view text, std::uint64_t offset) {
  return uninterrupted("write_at", size_text(text.size()), kChanges, [&](const FileFault& fault) {
    return ::pwrite(descriptor, text.data(), at_most(text.size(), fault),
                    static_cast<off_t>(offset));
  });
}

int sync(int descriptor) {
  return uninterrupted("sync", "", kChanges,
                       [&](const FileFault& /*fault*/) { return ::fsync(descriptor); });
}

int close(int descriptor) {
  const FileFault fault = next_file_fault("close", "", kReads);
  int result = ::close(descriptor);
  if (fault.error != 0) {
    result = -1;
    errno = fault.error;
  }
  after_file_call(fault);
  return result;
}

int lock(int descriptor, int how) {
  return uninterrupted("lock", "", kReads,
                       [&](const FileFault& /*fault*/) { return ::flock(descriptor, how); });
}

int look(const std::string& path, struct stat& found) {
  return uninterrupted("look", path, kReads,
                       [&](const FileFault& /*fault*/) { return ::stat(path.c_str(), &found); });
}

int look(int descriptor, struct stat& found) {
  return uninterrupted("look", "", kReads,
                       [&](const FileFault& /*fault*/) { return ::fstat(descriptor, &found); });
}

int real_path(const std::string& path, std::string& real) {
  return uninterrupted("real_path", path, kReads, [&](const FileFault& /*fault*/) {
    const std::unique_ptr<char, FreeText> text(::realpath(path.c_str(), nullptr));
    if (text == nullptr) return -1;
    real = text.get();
    return 0;
  });
}

int move(const std::string& from, const std::string& to) {
  return uninterrupted("move", to, kChanges, [&](const FileFault& /*fault*/) {
    return std::rename(from.c_str(), to.c_str());
  });
}

int remove(const std::string& path) {
  return uninterrupted("remove", path, kReads,  // a full disk lets go
                       [&](const FileFault& /*fault*/) { return ::unlink(path.c_str()); });
}

int make_folder(const std::string& path, mode_t mode) {
  return uninterrupted("make_folder", path, kChanges,
                       [&](const FileFault& /*fault*/) { return ::mkdir(path.c_str(), mode); });
}

int remove_folder(const std::string& path) {
  return uninterrupted("remove_folder", path, kReads,
                       [&](const FileFault& /*fault*/) { return ::rmdir(path.c_str()); });
}

int list(const std::string& folder, std::vector<std::string>& names) {
  return uninterrupted("list", folder, kReads, [&](const FileFault& /*fault*/) {
    names.clear();
    const std::unique_ptr<DIR, CloseFolder> opened(::opendir(folder.c_str()));
    if (opened == nullptr) return -1;
    for (;;) {
      errno = 0;
      const dirent* entry = ::readdir(opened.get());  // NOLINT(concurrency-mt-unsafe): our own DIR
      if (entry == nullptr) break;
      const std::string_view name = entry->d_name;
      if (name != "." && name != "..") names.emplace_back(name);
    }
    if (errno != 0) return -1;
    std::ranges::sort(names);
    return 0;
  });
}

}  // namespace heddle::file_calls
