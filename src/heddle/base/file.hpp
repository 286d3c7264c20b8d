// Files: written whole or not at all, read with care, errors on one line that names the path.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "heddle/base/check.hpp"

namespace heddle {

/// Closes its file descriptor when it goes.
class Descriptor {
 public:
  Descriptor() = default;
  explicit Descriptor(int number) : number_(number) {}
  Descriptor(Descriptor&& other) noexcept : number_(other.number_) { other.number_ = -1; }
  Descriptor& operator=(Descriptor&& other) noexcept;
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() { close(); }

  bool open() const { return number_ >= 0; }
  int number() const { return number_; }
  /// 0, or the errno of a write that failed late.
  int close();

 private:
  int number_ = -1;
};

/// A file in the making. It grows under a temporary name beside its path and takes the path's place
/// in one move at commit(); without commit, or after any error, nothing of it is left.
class FileWriter {
 public:
  explicit FileWriter(std::string path);
  FileWriter(const FileWriter&) = delete;
  FileWriter& operator=(const FileWriter&) = delete;
  ~FileWriter() { discard(); }

  void append(std::span<const std::byte> bytes);
  void append(std::string_view text);
  /// Replaces bytes that were appended before.
  void overwrite(std::uint64_t offset, std::string_view text);
  /// Bytes appended so far.
  std::uint64_t size() const { return written_ + buffer_.size(); }
  const std::string& path() const { return path_; }

  /// On disk and in place when this returns.
  void commit();

 private:
  void create_temporary();
  void flush();
  void write_all(std::string_view text);
  void require_open() const;
  void discard() noexcept;
  [[noreturn]] void fail(int error);

  std::string path_;       // as given
  std::string target_;     // where links lead
  std::string temporary_;  // empty once moved or removed
  std::string buffer_;     // not written yet
  std::uint64_t written_ = 0;
  Descriptor file_;
};

/// A regular file, read from front to back.
class FileReader {
 public:
  explicit FileReader(std::string path);

  /// Bytes when it was opened.
  std::uint64_t size() const { return size_; }
  /// Fills all of `bytes`; a file that ends before is an error.
  void read(std::span<std::byte> bytes);

 private:
  std::string path_;
  Descriptor file_;
  std::uint64_t size_ = 0;
};

/// Somebody else holds the folder.
class FolderInUse : public FileError {
 public:
  using FileError::FileError;
};

/// Holds a folder for one process: a second holder gets FolderInUse, "'run' is in use by another
/// heddle". Also removes what a killed writer left in the folder. Locks with different files do not
/// know of each other.
class FolderLock {
 public:
  explicit FolderLock(const std::string& folder, std::string_view file = ".lock");

 private:
  Descriptor file_;
};

constexpr std::uint64_t kMostText = std::uint64_t{256} << 20U;

/// Puts a file in place whole, or throws and leaves what was there before.
void write_file(const std::string& path, std::span<const std::byte> bytes);
void write_file(const std::string& path, std::string_view text);
/// All bytes of a file (pipes too); more than `most` bytes are an error.
std::string read_file(const std::string& path, std::uint64_t most = kMostText);

/// Makes the folder and its parents where they are missing.
void make_folder(const std::string& path);
/// FileError where the disk does not tell: what cannot be seen is not taken for missing.
bool file_exists(const std::string& path);
bool folder_exists(const std::string& path);
/// The names of what is in the folder, in order; none where there is no such folder.
std::vector<std::string> names_in(const std::string& folder);

/// Moves a file or a folder in one step over what was there; FileError names `to`.
void move_file(const std::string& from, const std::string& to);
/// Removes a file, or a folder with all in it; whether nothing is left.
bool remove_all(const std::string& path);
/// Removes a folder if nothing is in it; whether it is gone.
bool remove_empty_folder(const std::string& path);

/// Removes temporaries in `folder` whose writers are gone.
void remove_leftovers(const std::string& folder);

/// All of the text to an open descriptor: 0 or errno.
int write_all(int descriptor, std::string_view text);

/// A file that is opened later must not take the place of a standard stream that was closed.
void hold_standard_streams();

/// A file beyond the size limit becomes an error like a full disk, not the end of the program.
void ignore_file_size_signal();

}  // namespace heddle
