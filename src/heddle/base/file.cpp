// See file.hpp.
#include "heddle/base/file.hpp"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <filesystem>
#include <mutex>
#include <set>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "heddle/base/file/calls.hpp"
#include "heddle/base/file/pipe.hpp"
#include "heddle/base/index.hpp"
#include "heddle/base/text.hpp"

namespace heddle {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kBuffer = std::size_t{256} << 10U;
constexpr std::string_view kTemporaryStart = ".heddle-";
constexpr std::string_view kTemporaryEnd = ".tmp";
constexpr mode_t kFileMode = 0666;    // less what the user's mask takes away
constexpr mode_t kFolderMode = 0777;  // the same
constexpr mode_t kPermissionBits = 07777;

std::string reason(int error) {
  return std::generic_category().message(error);
}

Descriptor open_file(const std::string& path, int flags, mode_t mode = 0) {
  return Descriptor(file_calls::open(path, flags, mode));
}

/// 0 or errno. A file system that cannot sync at all is no reason to lose the file.
int sync(int descriptor) {
  if (file_calls::sync(descriptor) == 0) return 0;
  return errno == EINVAL || errno == ENOSYS || errno == ENOTSUP ? 0 : errno;
}

/// Once for each folder: what a killed writer left there goes when the next one comes.
void clean_once(const std::string& folder) {
  static std::mutex mutex;            // NOLINT: of the whole process
  static std::set<std::string> seen;  // NOLINT
  {
    const std::lock_guard lock(mutex);
    if (!seen.insert(folder).second) return;
  }
  remove_leftovers(folder);
}

std::string folder_of(const std::string& path) {
  const std::string folder = fs::path(path).parent_path().string();
  return folder.empty() ? "." : folder;
}

/// Makes a move in that folder last. A folder may be writable and not readable: no reason to fail.
int sync_folder(const std::string& path) {
  const Descriptor folder = open_file(path, O_RDONLY | O_DIRECTORY);
  if (!folder.open()) return errno == EACCES ? 0 : errno;
  return sync(folder.number());
}

/// Nothing can be there under that name; any other error of a look tells nothing.
bool means_absent(int error) {
  return error == ENOENT || error == ENOTDIR || error == EACCES || error == ELOOP ||
         error == ENAMETOOLONG;
}

[[noreturn]] void cannot_read(const std::string& path, std::string_view why) {
  throw FileError(fmt::format("cannot read {}: {}", quote_path(path), why));
}

/// Up to bytes.size() bytes, fewer only at the end of the file.
std::size_t read_some(const std::string& path, int descriptor, std::span<std::byte> bytes) {
  std::size_t done = 0;
  while (done < bytes.size()) {
    const ssize_t got = file_calls::read(descriptor, bytes.subspan(done));
    if (got < 0) cannot_read(path, reason(errno));
    if (got == 0) break;
    done += to_size(got);
  }
  return done;
}

/// The type of what is at the path, 0 if nothing is.
mode_t type_of(const std::string& path) {
  struct stat about{};
  if (file_calls::look(path, about) == 0) return about.st_mode & S_IFMT;
  if (!means_absent(errno)) cannot_read(path, reason(errno));
  return 0;
}

}  // namespace

Descriptor& Descriptor::operator=(Descriptor&& other) noexcept {
  std::swap(number_, other.number_);
  return *this;
}

int Descriptor::close() {
  const int number = std::exchange(number_, -1);
  // After EINTR the descriptor is closed all the same.
  return number >= 0 && file_calls::close(number) != 0 && errno != EINTR ? errno : 0;
}

FileWriter::FileWriter(std::string path) : path_(std::move(path)), target_(path_) {
  struct stat there{};
  if (file_calls::look(path_, there) == 0) {
    if (S_ISDIR(there.st_mode)) fail(EISDIR);
    // A move would put a plain file where a device or a pipe was.
    check<FileError>(S_ISREG(there.st_mode), "cannot write {}: it is not a regular file",
                     quote_path(path_));
    if (::access(path_.c_str(), W_OK) != 0) fail(errno);
    if (file_calls::real_path(path_, target_) != 0) fail(errno);
  } else if (errno != ENOENT) {
    fail(errno);
  }
  check<FileError>(fs::path(path_).has_filename(), "cannot write {}: it names no file",
                   quote_path(path_));
  create_temporary();
  if (there.st_mode != 0) (void)::fchmod(file_.number(), there.st_mode & kPermissionBits);
}

void FileWriter::create_temporary() {
  static std::atomic<unsigned> count{0};  // NOLINT: names differ within the process
  const std::string folder = folder_of(target_);
  clean_once(folder);
  while (!file_.open()) {
    temporary_ =
        fmt::format("{}/{}{}-{}{}", folder, kTemporaryStart, ::getpid(), count++, kTemporaryEnd);
    file_ = open_file(temporary_, O_RDWR | O_CREAT | O_EXCL, kFileMode);
    if (!file_.open()) {
      const int error = errno;
      temporary_.clear();  // if it is there, it is somebody else's
      if (error != EEXIST) fail(error);
      continue;
    }
    // The lock tells remove_leftovers() that the writer lives. It may have come before the lock.
    (void)file_calls::lock(file_.number(), LOCK_EX);
    struct stat made{};
    if (file_calls::look(file_.number(), made) == 0 && made.st_nlink == 0) file_.close();
  }
}

void FileWriter::append(std::span<const std::byte> bytes) {
  append(std::string_view(reinterpret_cast<const char*>(bytes.data()), bytes.size()));
}

void FileWriter::append(std::string_view text) {
  require_open();
  if (buffer_.size() + text.size() < kBuffer) {
    buffer_ += text;
    return;
  }
  flush();
  write_all(text);
}

void FileWriter::overwrite(std::uint64_t offset, std::string_view text) {
  require_open();
  check(offset + text.size() <= size(), "overwrite: bytes {} to {} of {} were never written",
        offset, offset + text.size(), size());
  flush();
  while (!text.empty()) {
    const ssize_t put = file_calls::write_at(file_.number(), text, offset);
    if (put <= 0) fail(put == 0 ? EIO : errno);
    offset += static_cast<std::uint64_t>(put);
    text.remove_prefix(to_size(put));
  }
}

void FileWriter::flush() {
  write_all(buffer_);
  buffer_.clear();
}

void FileWriter::write_all(std::string_view text) {
  if (const int error = heddle::write_all(file_.number(), text)) fail(error);
  written_ += text.size();
}

void FileWriter::commit() {
  require_open();
  flush();
  if (const int error = sync(file_.number())) fail(error);
  if (const int error = file_.close()) fail(error);
  if (file_calls::move(temporary_, target_) != 0) fail(errno);
  temporary_.clear();
  if (const int error = sync_folder(folder_of(target_))) fail(error);
}

void FileWriter::require_open() const {
  check(file_.open(), "the file {} is finished: nothing can be added", quote_path(path_));
}

void FileWriter::discard() noexcept {
  file_.close();
  if (!temporary_.empty()) (void)file_calls::remove(temporary_);
  temporary_.clear();
}

void FileWriter::fail(int error) {
  discard();
  throw FileError(fmt::format("cannot write {}: {}", quote_path(path_), reason(error)));
}

FileReader::FileReader(std::string path) : path_(std::move(path)) {
  // Without O_NONBLOCK a pipe that nobody writes would hold us here.
  file_ = open_file(path_, O_RDONLY | O_NONBLOCK);
  if (!file_.open()) cannot_read(path_, reason(errno));
  struct stat about{};
  if (file_calls::look(file_.number(), about) != 0) cannot_read(path_, reason(errno));
  if (S_ISDIR(about.st_mode)) cannot_read(path_, reason(EISDIR));
  if (!S_ISREG(about.st_mode)) cannot_read(path_, "it is not a regular file");
  size_ = static_cast<std::uint64_t>(about.st_size);
}

void FileReader::read(std::span<std::byte> bytes) {
  const std::size_t got = read_some(path_, file_.number(), bytes);
  if (got < bytes.size())
    cannot_read(path_, fmt::format("it ends {} bytes too early", bytes.size() - got));
}

FolderLock::FolderLock(const std::string& folder, std::string_view file) {
  const std::string path = fmt::format("{}/{}", folder, file);
  file_ = open_file(path, O_RDWR | O_CREAT, kFileMode);
  check<FileError>(file_.open(), "cannot write {}: {}", quote_path(path), reason(errno));
  if (file_calls::lock(file_.number(), LOCK_EX | LOCK_NB) != 0) {
    check<FolderInUse>(errno != EWOULDBLOCK, "{} is in use by another heddle", quote_path(folder));
    throw FileError(fmt::format("cannot lock {}: {}", quote_path(path), reason(errno)));
  }
  remove_leftovers(folder);
}

void write_file(const std::string& path, std::span<const std::byte> bytes) {
  FileWriter file(path);
  file.append(bytes);
  file.commit();
}

void write_file(const std::string& path, std::string_view text) {
  write_file(path, std::as_bytes(std::span(text)));
}

std::string read_file(const std::string& path, std::uint64_t most) {
  if (may_wait(path)) return read_pipe(path, most);
  const Descriptor file = open_file(path, O_RDONLY);
  if (!file.open()) cannot_read(path, reason(errno));
  const auto too_large = [&] {
    cannot_read(path, fmt::format("it is too large, at most {} bytes are accepted", most));
  };
  struct stat about{};
  const bool has_size = ::fstat(file.number(), &about) == 0 && S_ISREG(about.st_mode);
  if (has_size && static_cast<std::uint64_t>(about.st_size) > most) too_large();
  std::string text;
  for (;;) {
    // One byte more than allowed is asked for, so that a file that is too large shows itself.
    const std::uint64_t step = std::min<std::uint64_t>(kBuffer, most - text.size()) + 1;
    const std::size_t before = text.size();
    text.resize(before + step);
    const auto room = std::as_writable_bytes(std::span(text)).subspan(before);
    const std::size_t got = read_some(path, file.number(), room);
    text.resize(before + got);
    if (text.size() > most) too_large();
    if (got < step) return text;
  }
}

void make_folder(const std::string& path) {
  check<FileError>(!path.empty(), "cannot create folder '': the name is empty");
  fs::path folder;
  for (const fs::path& part : fs::path(path)) {
    folder /= part;
    const std::string name = folder.string();
    if (folder_exists(name)) continue;
    if (file_calls::make_folder(name, kFolderMode) == 0) continue;
    const int error = errno;
    if (folder_exists(name)) continue;  // somebody else was quicker
    const bool in_the_way = error == EEXIST || error == ENOTDIR;
    throw FileError(
        fmt::format("cannot create folder {}: {}", quote_path(path),
                    in_the_way ? quote_path(name) + " is not a folder" : reason(error)));
  }
}

bool file_exists(const std::string& path) {
  return type_of(path) == S_IFREG;
}

bool folder_exists(const std::string& path) {
  return type_of(path) == S_IFDIR;
}

std::vector<std::string> names_in(const std::string& folder) {
  std::vector<std::string> names;
  if (file_calls::list(folder, names) != 0 && !means_absent(errno))
    cannot_read(folder, reason(errno));
  return names;
}

void move_file(const std::string& from, const std::string& to) {
  const auto cannot_move = [&](int error) {
    throw FileError(fmt::format("cannot write {}: {}", quote_path(to), reason(error)));
  };
  if (file_calls::move(from, to) != 0) cannot_move(errno);
  if (const int error = sync_folder(folder_of(to))) cannot_move(error);
}

bool remove_all(const std::string& path) {
  const auto gone = [](int result) {
    return result == 0 || errno == ENOENT || errno == ENOTDIR;  // somebody else was quicker
  };
  if (gone(file_calls::remove(path))) return true;
  std::vector<std::string> names;
  if (file_calls::list(path, names) != 0) return errno == ENOENT;
  for (const std::string& name : names) (void)remove_all(fmt::format("{}/{}", path, name));
  return gone(file_calls::remove_folder(path));
}

bool remove_empty_folder(const std::string& path) {
  return file_calls::remove_folder(path) == 0;
}

void remove_leftovers(const std::string& folder) {
  std::vector<std::string> names;
  if (file_calls::list(folder, names) != 0) return;
  for (const std::string& name : names) {
    if (!name.starts_with(kTemporaryStart) || !name.ends_with(kTemporaryEnd)) continue;
    const std::string path = fmt::format("{}/{}", folder, name);
    const Descriptor file = open_file(path, O_RDWR | O_NOFOLLOW | O_NONBLOCK);
    if (file.open() && file_calls::lock(file.number(), LOCK_EX | LOCK_NB) == 0)
      (void)file_calls::remove(path);
  }
}

int write_all(int descriptor, std::string_view text) {
  while (!text.empty()) {
    const ssize_t put = file_calls::write(descriptor, text);
    if (put < 0 && errno == EINTR) continue;
    if (put <= 0) return put == 0 ? EIO : errno;
    text.remove_prefix(to_size(put));
  }
  return 0;
}

void hold_standard_streams() {
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    if (::fcntl(stream, F_GETFD) == -1) (void)::open("/dev/null", O_RDONLY);
}

void ignore_file_size_signal() {
  (void)std::signal(SIGXFSZ, SIG_IGN);
}

}  // namespace heddle
