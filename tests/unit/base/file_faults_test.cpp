// Every file call can be made to fail; what was there stays, and the error is said.
#include <functional>

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include "heddle/base/file.hpp"
#include "heddle/base/file/faults.hpp"
#include "heddle/base/text.hpp"
#include "tests/unit/base/temp_folder.hpp"

namespace heddle {
namespace {

/// Disarms when a test is over, however it ends.
struct Armed {
  explicit Armed(const std::string& spec) { arm_file_faults(spec); }
  Armed(const Armed&) = delete;
  Armed& operator=(const Armed&) = delete;
  ~Armed() { arm_file_faults(""); }
};

std::string error_with(const std::string& spec, const std::function<void()>& body) {
  const Armed armed(spec);
  return message_of<FileError>(body);
}

/// The calls of `body`, one name a line.
std::string calls_of(const std::string& trace, const std::function<void()>& body) {
  const int file = ::open(trace.c_str(), O_RDWR | O_CREAT | O_TRUNC, 0600);
  {
    const Armed armed(fmt::format("trace@{}", file));
    body();
  }
  ::close(file);
  std::string names;
  for (const std::string& line : split(read_file(trace), '\n'))
    if (!line.empty()) names += line.substr(0, line.find(' ')) + " ";
  return names;
}

/// A write's calls, each failing in turn: the old text or the new one, and nothing beside it.
TEST(FileFaults, AWriteThatFailsAtAnyCallLeavesTheOldTextOrTheNewOne) {
  const TempFolder folder, traces;
  const std::string path = folder / "x";
  write_file(path, "old");
  const auto write = [&] { write_file(path, "new"); };
  const std::string calls = calls_of(traces / "trace", write);
  EXPECT_EQ(calls, "look real_path create lock look write sync close move open sync close ");
  bool seen_old = false, seen_new = false;
  for (int k = 1; k <= 12; ++k) {
    write_file(path, "old");
    const std::string said = error_with(fmt::format("fail:EIO@{}", k), write);
    const std::string text = read_file(path);
    EXPECT_TRUE(text == "old" || text == "new") << k;
    EXPECT_EQ(folder.names(), std::vector<std::string>{"x"}) << k;
    if (said == "no error")
      EXPECT_EQ(text, "new") << k;
    else
      EXPECT_EQ(said, "cannot write '" + path + "': Input/output error") << k;
    (text == "old" ? seen_old : seen_new) = true;
  }
  EXPECT_TRUE(seen_old && seen_new);
}

TEST(FileFaults, SignalsAndHalfDoneCallsAreGoneOnWith) {
  const TempFolder folder;
  const std::string path = folder / "x", much(700'000, 'm');
  for (const char* how : {"fail:EINTR", "short"})
    for (int k = 1; k <= 20; ++k) {
      const std::string spec = fmt::format("{}@{}", how, k);
      const Armed armed(spec);
      write_file(path, much);
      EXPECT_TRUE(read_file(path) == much) << spec;
    }
}

TEST(FileFaults, AFullDiskStaysFullAndLetsGo) {
  const TempFolder folder;
  const std::string path = folder / "x";
  write_file(path, "old");
  const Armed armed("fail:ENOSPC@1+");
  EXPECT_EQ(message_of<FileError>([&] { write_file(path, "new"); }),
            "cannot write '" + path + "': No space left on device");
  EXPECT_EQ(message_of<FileError>([&] { make_folder(folder / "sub"); }),
            "cannot create folder '" + (folder / "sub") + "': No space left on device");
  EXPECT_EQ(read_file(path), "old");
  EXPECT_TRUE(remove_all(path));
}

TEST(FileFaults, ALookThatFailsIsNotTakenForNothing) {
  const TempFolder folder;
  write_file(folder / "x", "text");
  for (const auto& look : std::vector<std::function<void()>>{
           [&] { (void)file_exists(folder / "x"); }, [&] { (void)folder_exists(folder / "x"); },
           [&] { (void)names_in(folder.path()); }, [&] { (void)read_file(folder / "x"); }})
    EXPECT_NE(error_with("fail:EIO@1", look).find("Input/output error"), std::string::npos);
  EXPECT_FALSE(file_exists(folder / "none"));
  EXPECT_FALSE(folder_exists(folder / "x/none"));
  EXPECT_EQ(names_in(folder / "none"), std::vector<std::string>{});
}

TEST(FileFaults, FoldersAreRemovedWithAllInThem) {
  const TempFolder folder;
  make_folder(folder / "a/b/c");
  write_file(folder / "a/b/x", "text");
  write_file(folder / "keep", "text");
  std::filesystem::create_symlink("../keep", folder / "a/link");
  EXPECT_FALSE([&] {
    const Armed armed("fail:EIO@4");
    return remove_all(folder / "a");
  }());
  EXPECT_TRUE(remove_all(folder / "a"));
  EXPECT_TRUE(remove_all(folder / "a"));
  EXPECT_EQ(folder.names(), std::vector<std::string>{"keep"});
}

TEST(FileFaults, TheProgramEndsWhereItIsTold) {
  const TempFolder folder;
  for (const bool after : {false, true}) {
    write_file(folder / "x", "old");
    const pid_t child = ::fork();
    if (child == 0) {
      arm_file_faults(after ? "crash-after@9" : "crash-before@9");  // the move
      write_file(folder / "x", "new");
      ::_exit(0);
    }
    int status = 0;
    ::waitpid(child, &status, 0);
    EXPECT_EQ(WEXITSTATUS(status), kCrashExit);
    EXPECT_EQ(read_file(folder / "x"), after ? "new" : "old");
  }
  remove_leftovers(folder.path());
  EXPECT_EQ(folder.names(), std::vector<std::string>{"x"});
}

TEST(FileFaults, WhatIsNoPlanIsRefused) {
  for (const char* spec : {"fail", "fail@1", "fail:EOOPS@1", "fail:EIO@0", "fail:EIO@x", "short@",
                           "short:EIO@1", "short@1+", "crash@1", "fail:EIO@1++", "@1"})
    EXPECT_NE(message_of<UsageError>([&] { arm_file_faults(spec); }).find("accepted are"),
              std::string::npos)
        << spec;
}

}  // namespace
}  // namespace heddle
