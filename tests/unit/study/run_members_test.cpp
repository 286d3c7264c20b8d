// The driver of studies on members that cost nothing: what is left, who does it, what is concluded.
#include "heddle/study/run_members.hpp"

#include <filesystem>
#include <thread>

#include <gtest/gtest.h>

#include "heddle/base/checked_json.hpp"
#include "heddle/base/file.hpp"
#include "heddle/study/plan_file.hpp"
#include "tests/unit/base/temp_folder.hpp"

namespace heddle {
namespace {

Json named(const std::string& name) {
  return {{"name", name}};
}
std::string name_in(const std::string& run) {
  return read_checked_json(run + "/record.json").at("name");
}

/// Three members whose weights are texts and whose records are names; `examined` counts.
struct Toy {
  std::atomic<int> examined{0};
  Study study;

  Toy() {
    for (const char* name : {"a-1", "a-2", "b/seed-1"}) {
      StudyMember member{.name = name, .label = name, .config = {}};
      member.write_weights = [](const std::string& run) {
        make_folder(run);
        write_file(run + "/weights", "1");
      };
      study.members.push_back(std::move(member));
    }
    study.command = "toy";
    study.record_file = "record.json";
    study.claim_folder = [](const std::string& folder) { write_file(folder + "/toy", "toy"); };
    study.examine = [this](std::size_t member, const ExamRequest& request) {
      ++examined;
      EXPECT_TRUE(file_exists(request.run + "/weights"));
      request.progress(0.5);
      return ExamResult{.record = named(study.members[member].name), .note = "seen"};
    };
    study.conclude = [this](const ConcludeRequest& request) {
      std::string all;
      for (const StudyMember& member : study.members)
        all += name_in(request.folder + "/" + member.folder()) + ";";
      return all;
    };
  }
  Toy(const Toy&) = delete;
  Toy& operator=(const Toy&) = delete;
};

struct Heard {
  std::vector<std::string> notes;
  double share = 0;
  bool stop = false;

  StudyObserver observer() {
    return {.progress = [this](double now, const std::string&) { share = now; },
            .note = [this](const std::string& line) { notes.push_back(line); },
            .stop = [this] { return stop; }};
  }
};

TEST(RunMembers, MakesWhatIsLeftAndConcludes) {
  const TempFolder folder;
  Toy toy;
  Heard heard;
  write_plan(toy.study, folder.path());
  EXPECT_EQ(missing_members(toy.study, folder.path()).size(), 3U);
  ASSERT_EQ(run_members(toy.study, folder.path(), {.threads = 1, .only = 1}, heard.observer()),
            StudyOutcome::finished);
  EXPECT_EQ(missing_members(toy.study, folder.path()),
            (std::vector<std::string>{"a-1", "b/seed-1"}));
  try {
    conclude_study(toy.study, folder.path(), 1, {});
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("2 of 3 members"), std::string::npos) << error.what();
    EXPECT_NE(std::string(error.what()).find("(a-1, b/seed-1)"), std::string::npos);
  }
  ASSERT_EQ(run_members(toy.study, folder.path(), {.threads = 1}, heard.observer()),
            StudyOutcome::finished);
  EXPECT_EQ(toy.examined, 3);
  EXPECT_EQ(heard.share, 1);
  EXPECT_EQ(heard.notes, (std::vector<std::string>{"a-2: seen", "1 of 3 members are done already",
                                                   "a-1: seen", "b/seed-1: seen"}));
  ASSERT_EQ(conclude_study(toy.study, folder.path(), 1, {}), StudyOutcome::finished);
  EXPECT_EQ(read_file(folder / "results.json"), "a-1;a-2;b/seed-1;");
  EXPECT_NE(read_file(folder / "timings.json").find("\"member\":\"b/seed-1\""), std::string::npos);
}

TEST(RunMembers, WaitsForWhatAnotherHoldsAndTakesItWhenThatOneDies) {
  const TempFolder folder;
  Toy toy;
  Heard heard;
  const std::string held = folder / "members/a-2", done = folder / "members/a-1";
  make_folder(held);
  make_folder(done);
  std::optional<FolderLock> dies(std::in_place, folder / "members", member_lock("a-2"));
  std::optional<FolderLock> finishes(std::in_place, folder / "members", member_lock("a-1"));
  std::thread others([&] {
    while (toy.examined < 1) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    std::this_thread::sleep_for(std::chrono::milliseconds(300));
    write_checked_json(done + "/record.json", named("a-1 of another"));
    write_file(done + "/timing.json", "{}");
    finishes.reset();
    dies.reset();
  });
  EXPECT_EQ(run_members(toy.study, folder.path(), {.threads = 2}, heard.observer()),
            StudyOutcome::finished);
  others.join();
  EXPECT_EQ(toy.examined, 2);
  EXPECT_EQ(name_in(done), "a-1 of another");
  EXPECT_EQ(name_in(held), "a-2");
  ASSERT_EQ(heard.notes.size(), 3U);
  EXPECT_EQ(heard.notes[1], "2 members are being done by others: waiting");
  EXPECT_EQ(heard.share, 1);
}

TEST(RunMembers, AStopLeavesWhileItWaits) {
  const TempFolder folder;
  Toy toy;
  Heard heard;
  make_folder(folder / "members");
  const FolderLock lock(folder / "members", member_lock("a-1"));
  StudyObserver observer = heard.observer();
  observer.note = [&](const std::string& line) {
    heard.stop = line.find("another heddle: waiting") != std::string::npos;
  };
  EXPECT_EQ(run_members(toy.study, folder.path(), {.threads = 1, .only = 0}, observer),
            StudyOutcome::stopped);
  EXPECT_EQ(toy.examined, 0);
}

TEST(RunMembers, ManyAtOnceMakeEveryMemberOnce) {
  const TempFolder folder;
  Toy toy;
  std::vector<std::thread> processes;  // locks know threads no better than processes
  for (int i = 0; i < 6; ++i)
    processes.emplace_back([&] {
      write_plan(toy.study, folder.path());
      EXPECT_EQ(run_members(toy.study, folder.path(), {.threads = 2}, {}), StudyOutcome::finished);
      EXPECT_EQ(conclude_study(toy.study, folder.path(), 1, {}), StudyOutcome::finished);
    });
  for (std::thread& process : processes) process.join();
  EXPECT_EQ(toy.examined, 3);
  EXPECT_EQ(read_file(folder / "results.json"), "a-1;a-2;b/seed-1;");
}

TEST(PlanFile, ListsMembersAndFindsNearNames) {
  const TempFolder folder;
  Toy toy;
  EXPECT_THROW((void)read_plan_head(folder.path()), UsageError);
  write_plan(toy.study, folder.path());
  const std::string plan = read_file(folder / "plan.json");
  EXPECT_NE(plan.find("\"folder\": \"members/b/seed-1\""), std::string::npos) << plan;
  EXPECT_NE(plan.find("\"config\": {"), std::string::npos) << plan;
  EXPECT_EQ(read_plan_head(folder.path()).command, "toy");
  EXPECT_EQ(find_member(toy.study, "a-2"), 1U);
  const auto refused = [&](const std::string& name) -> std::string {
    try {
      (void)find_member(toy.study, name);
    } catch (const UsageError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(refused("a-3"), "there is no member 'a-3' in the plan: near is a-1, a-2");
  EXPECT_EQ(refused("nothing like it"),
            "there is no member 'nothing like it' in the plan: accepted is a-1, a-2, b/seed-1");
  write_file(folder / "plan.json", plan.substr(0, plan.size() / 2));
  EXPECT_THROW((void)read_plan_head(folder.path()), FileError);
}

}  // namespace
}  // namespace heddle
