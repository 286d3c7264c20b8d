// Files are there whole or not at all, and errors name the path and the reason.
#include "heddle/base/file.hpp"

#include <array>
#include <cerrno>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <functional>
#include <limits>
#include <vector>

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "heddle/base/index.hpp"
#include "tests/unit/base/temp_folder.hpp"

namespace heddle {
namespace {

using Names = std::vector<std::string>;

std::string error_of(const std::function<void()>& body) {
  return message_of<FileError>(body);
}

/// Runs `body` in a process of its own; the text it returns comes back, or how it died.
std::string in_child(const std::function<std::string()>& body) {
  std::array<int, 2> ends{};
  if (::pipe(ends.data()) != 0) return "no pipe";
  const pid_t child = ::fork();
  if (child == 0) {
    const std::string text = body();
    const ssize_t put = ::write(ends[1], text.data(), text.size());
    _exit(put == static_cast<ssize_t>(text.size()) ? 0 : 1);
  }
  ::close(ends[1]);
  std::string text;
  char letter = 0;
  while (::read(ends[0], &letter, 1) == 1) text += letter;
  ::close(ends[0]);
  int status = 0;
  ::waitpid(child, &status, 0);
  if (WIFSIGNALED(status)) return "killed by signal " + std::to_string(WTERMSIG(status));
  return text;
}

void limit_file_size(rlim_t bytes) {
  const rlimit limit{.rlim_cur = bytes, .rlim_max = bytes};
  ::setrlimit(RLIMIT_FSIZE, &limit);
}

TEST(File, WritesAndReadsBack) {
  const TempFolder folder;
  const std::string bytes("a\0b\xff\n", 5);
  write_file(folder / "x", bytes);
  EXPECT_EQ(read_file(folder / "x"), bytes);
  write_file(folder / "x", "");
  EXPECT_EQ(read_file(folder / "x"), "");
  const std::string much(3'000'000, 'm');
  write_file(folder / "x", much);
  EXPECT_EQ(read_file(folder / "x"), much);
  EXPECT_EQ(folder.names(), Names{"x"});
}

TEST(File, TakesRelativePathsAndLongNames) {
  const TempFolder folder;
  const std::string here = std::filesystem::current_path().string();
  std::filesystem::current_path(folder.path());
  const std::string name(255, 'n');
  write_file(name, "long");
  EXPECT_EQ(read_file(name), "long");
  std::filesystem::current_path(here);
}

TEST(File, GrowsInPieces) {
  const TempFolder folder;
  std::string expected;
  FileWriter file(folder / "x");
  for (int i = 0; i < 20000; ++i) {
    const std::string piece(to_size(i % 97), static_cast<char>('a' + i % 26));
    file.append(piece);
    expected += piece;
  }
  EXPECT_EQ(file.size(), expected.size());
  file.overwrite(5, "OVER");
  file.overwrite(expected.size() - 2, "!!");
  expected.replace(5, 4, "OVER").replace(expected.size() - 2, 2, "!!");
  EXPECT_THROW(file.overwrite(expected.size() - 1, "!!"), Error);
  EXPECT_FALSE(file_exists(folder / "x"));
  file.commit();
  EXPECT_EQ(read_file(folder / "x"), expected);
  EXPECT_THROW(file.append("more"), Error);
  EXPECT_THROW(file.commit(), Error);
}

TEST(File, WithoutCommitNothingIsLeft) {
  const TempFolder folder;
  write_file(folder / "x", "old");
  {
    FileWriter file(folder / "x");
    file.append(std::string(1'000'000, 'n'));
    EXPECT_EQ(folder.names().size(), 2U);
  }
  EXPECT_EQ(folder.names(), Names{"x"});
  EXPECT_EQ(read_file(folder / "x"), "old");
}

TEST(File, FullDiskLosesNothing) {
  const TempFolder folder;
  write_file(folder / "x", "old");
  for (const std::size_t size : {std::size_t{5000}, std::size_t{5'000'000}}) {
    const std::string said = in_child([&] {
      ignore_file_size_signal();
      limit_file_size(4096);
      return error_of([&] { write_file(folder / "x", std::string(size, 'n')); });
    });
    EXPECT_EQ(said, "cannot write '" + (folder / "x") + "': File too large");
    EXPECT_EQ(folder.names(), Names{"x"});
    EXPECT_EQ(read_file(folder / "x"), "old");
  }
}

TEST(File, AnErrorEndsTheWriter) {
  const TempFolder folder;
  const std::string said = in_child([&] {
    ignore_file_size_signal();
    limit_file_size(4096);
    FileWriter file(folder / "x");
    error_of([&] { file.append(std::string(1'000'000, 'n')); });
    return message_of<Error>([&] { file.commit(); });
  });
  EXPECT_EQ(said, "the file '" + (folder / "x") + "' is finished: nothing can be added");
  EXPECT_EQ(folder.names(), Names{});
}

TEST(File, SaysWhyItCannotWrite) {
  const TempFolder folder;
  write_file(folder / "file", "");
  make_folder(folder / "folder");
  const auto said = [&](const std::string& path) {
    return error_of([&] { write_file(path, "text"); });
  };
  EXPECT_EQ(said(folder / "file/x"), "cannot write '" + (folder / "file/x") + "': Not a directory");
  EXPECT_EQ(said(folder / "none/x"),
            "cannot write '" + (folder / "none/x") + "': No such file or directory");
  EXPECT_EQ(said(folder / "folder"), "cannot write '" + (folder / "folder") + "': Is a directory");
  EXPECT_EQ(said("/dev/null"), "cannot write '/dev/null': it is not a regular file");
  EXPECT_EQ(said(""), "cannot write '': it names no file");
  EXPECT_EQ(said(folder / "a\nb/x"),
            "cannot write '" + (folder / "a\\x0ab/x") + "': No such file or directory");
  EXPECT_NE(said("/proc/x"), "no error");
  EXPECT_EQ(folder.names(), (Names{"file", "folder"}));
}

TEST(File, KeepsLinksAndPermissions) {
  const TempFolder folder;
  write_file(folder / "real", "old");
  ::chmod((folder / "real").c_str(), 0640);
  std::filesystem::create_symlink("real", folder / "link");
  write_file(folder / "link", "new");
  EXPECT_TRUE(std::filesystem::is_symlink(folder / "link"));
  EXPECT_EQ(read_file(folder / "real"), "new");
  struct stat about{};
  ::stat((folder / "real").c_str(), &about);
  EXPECT_EQ(about.st_mode & 07777U, 0640U);
}

TEST(File, ReadsNoMoreThanAllowed) {
  const TempFolder folder;
  write_file(folder / "x", "12345");
  EXPECT_EQ(read_file(folder / "x", 5), "12345");
  EXPECT_EQ(error_of([&] { read_file(folder / "x", 4); }),
            "cannot read '" + (folder / "x") + "': it is too large, at most 4 bytes are accepted");
  EXPECT_NE(error_of([&] { read_file("/dev/zero", 100'000); }), "no error");
  EXPECT_EQ(read_file(folder / "x", std::numeric_limits<std::uint64_t>::max()), "12345");
}

TEST(File, SaysWhyItCannotRead) {
  const TempFolder folder;
  EXPECT_EQ(error_of([&] { read_file(folder / "none"); }),
            "cannot read '" + (folder / "none") + "': No such file or directory");
  EXPECT_EQ(error_of([&] { read_file(folder.path()); }),
            "cannot read '" + folder.path() + "': Is a directory");
  EXPECT_EQ(error_of([&] { FileReader file(folder.path()); }),
            "cannot read '" + folder.path() + "': Is a directory");
  ::mkfifo((folder / "pipe").c_str(), 0600);
  EXPECT_EQ(error_of([&] { FileReader file(folder / "pipe"); }),
            "cannot read '" + (folder / "pipe") + "': it is not a regular file");
  write_file(folder / "x", "123");
  FileReader file(folder / "x");
  EXPECT_EQ(file.size(), 3U);
  std::vector<std::byte> bytes(5);
  EXPECT_EQ(error_of([&] { file.read(bytes); }),
            "cannot read '" + (folder / "x") + "': it ends 2 bytes too early");
}

TEST(File, MakesFoldersWithParents) {
  const TempFolder folder;
  make_folder(folder / "a/b/c");
  make_folder(folder / "a/b/c/");
  EXPECT_TRUE(folder_exists(folder / "a/b/c"));
  EXPECT_FALSE(file_exists(folder / "a/b/c"));
  write_file(folder / "a/file", "");
  EXPECT_TRUE(file_exists(folder / "a/file"));
  EXPECT_FALSE(folder_exists(folder / "a/file"));
  EXPECT_EQ(error_of([&] { make_folder(folder / "a/file/b"); }),
            "cannot create folder '" + (folder / "a/file/b") + "': '" + (folder / "a/file") +
                "' is not a folder");
  EXPECT_EQ(error_of([&] { make_folder(folder / "a/file"); }),
            "cannot create folder '" + (folder / "a/file") + "': '" + (folder / "a/file") +
                "' is not a folder");
  EXPECT_NE(error_of([&] { make_folder("/proc/heddle/run"); }), "no error");
  EXPECT_NE(error_of([&] { make_folder(""); }), "no error");
}

TEST(File, OneHolderPerFolder) {
  const TempFolder folder;
  const auto try_lock = [&] { return error_of([&] { const FolderLock lock(folder.path()); }); };
  {
    const FolderLock lock(folder.path());
    EXPECT_EQ(try_lock(), "'" + folder.path() + "' is in use by another heddle");
    EXPECT_EQ(in_child(try_lock), "'" + folder.path() + "' is in use by another heddle");
  }
  EXPECT_EQ(try_lock(), "no error");
  EXPECT_EQ(error_of([&] { const FolderLock lock(folder / "none"); }),
            "cannot write '" + (folder / "none/.lock") + "': No such file or directory");
}

TEST(File, LeftoversOfTheKilledAreRemovedThoseOfTheLivingNot) {
  const TempFolder folder;
  EXPECT_EQ(in_child([&] {
              FileWriter file(folder / "x");
              file.append(std::string(1'000'000, 'n'));
              (void)std::raise(SIGKILL);
              return std::string();
            }),
            "killed by signal 9");
  EXPECT_EQ(folder.names().size(), 1U);
  FileWriter alive(folder / "y");
  EXPECT_EQ(folder.names().size(), 1U);  // its own: the other has gone
  std::ofstream(folder / ".heddle-1-0.tmp") << "of another that was killed";
  EXPECT_EQ(folder.names().size(), 2U);
  {
    const FolderLock lock(folder.path());
  }
  EXPECT_EQ(folder.names().size(), 2U);  // .lock and the living
  alive.commit();
  EXPECT_EQ(folder.names(), (Names{".lock", "y"}));
}

}  // namespace
}  // namespace heddle
