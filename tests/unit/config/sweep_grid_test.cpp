// Lists in --set as a grid: what they make, and what they may not be.
#include <algorithm>
#include <limits>

#include <gtest/gtest.h>

#include "heddle/config/load.hpp"
#include "heddle/config/sweep.hpp"
#include "tests/support/holds.hpp"
#include "tests/unit/base/temp_folder.hpp"

namespace heddle {
namespace {

using Words = std::vector<std::string>;

Config sorter() {
  return default_config(TaskKind::sortedness);
}

SweepGrid grid(const Words& words, std::int64_t seeds = 1, const Config& start = sorter()) {
  return sweep_grid(start, words, seeds);
}

std::string grid_refusal(const Words& words, const Config& start = sorter()) {
  const std::string message =
      message_of<UsageError>([&] { (void)cells_of(sweep_grid(start, words, 1)); });
  EXPECT_EQ(message.find('\n'), std::string::npos) << message;
  return message;
}

Words names_of(const SweepGrid& grid) {
  Words names;
  for (const SweepCell& cell : cells_of(grid)) names.push_back(cell.name);
  return names;
}

TEST(SweepGrid, EveryCombinationOnceTheLastSettingFastest) {
  const SweepGrid swept = grid({"position=alibi,rope", "pooling=mean,max,cls", "steps=7"}, 3);
  EXPECT_EQ(names_of(swept), (Words{"position=alibi+pooling=mean", "position=alibi+pooling=max",
                                    "position=alibi+pooling=cls", "position=rope+pooling=mean",
                                    "position=rope+pooling=max", "position=rope+pooling=cls"}));
  EXPECT_EQ(swept.seeds, 3);
  const std::vector<SweepCell> cells = cells_of(swept);
  EXPECT_EQ(cells[4].config.model.position, PositionKind::rope);
  EXPECT_EQ(cells[4].config.model.pooling, PoolingSetting::max);
  EXPECT_EQ(cells[4].config.train.steps, 7);
  EXPECT_EQ(cells[4].values, (Words{"rope", "max"}));
  EXPECT_EQ(cells[4].label, "rope · max");
  // Nothing else differs.
  Config base = sorter();
  for (const char* word : {"position=rope", "pooling=max", "steps=7"}) set(base, word);
  EXPECT_EQ(differences(cells[4].config, base), Words{});
}

TEST(SweepGrid, TheOrderInWhichSettingsAreTypedMakesNoDifference) {
  const SweepGrid one = grid({"steps=7,9", "position=alibi,rope"});
  EXPECT_EQ(names_of(one), names_of(grid({"position=alibi,rope", "steps=7,9"})));
  EXPECT_EQ(one.axes.front().setting, "model.position");
  EXPECT_EQ(missing_from(one, grid({"position=rope,alibi", "steps=9,7"})), Words{});
}

TEST(SweepGrid, WithoutAListThereIsOneCell) {
  const SweepGrid alone = grid({"steps=7"}, 5);
  EXPECT_EQ(names_of(alone), Words{"base"});
  EXPECT_FALSE(has_list(sorter(), Words{"steps=7", "kinds=adjacent,shuffle"}));
  EXPECT_TRUE(has_list(sorter(), Words{"steps=7,8"}));
}

TEST(SweepGrid, TextsHaveCommasOfTheirOwn) {
  const SweepGrid swept = grid({"kinds=adjacent;shuffle,distant", "lengths=8-16;4-8"});
  ASSERT_EQ(swept.axes.size(), 2U);
  EXPECT_EQ(swept.axes[0].values, (Words{"8-16", "4-8"}));
  EXPECT_EQ(swept.axes[1].values, (Words{"adjacent", "shuffle,distant"}));
  const std::vector<SweepCell> cells = cells_of(swept);
  EXPECT_EQ(cells[1].config.task.kinds, "shuffle,distant");
  // What a folder cannot be called is told apart by a hash.
  EXPECT_TRUE(cells[1].name.starts_with("lengths=8-16+kinds=shuffle_distant-")) << cells[1].name;
  Config adder;
  const SweepGrid cut = grid({"cut_heads=;encoder.0.self.head.1,encoder.0.self.head.0"}, 1, adder);
  ASSERT_EQ(cut.axes.size(), 1U);
  EXPECT_EQ(cut.axes[0].values, (Words{"", "encoder.0.self.head.0,encoder.0.self.head.1"}));
  EXPECT_EQ(cells_of(cut).size(), 2U);
}

TEST(SweepGrid, NumbersAreNamedInLabels) {
  Config adder;
  const std::vector<SweepCell> cells =
      cells_of(grid({"heads=2,4", "lr=0.001,0.0005", "norm=pre,post"}, 1, adder));
  EXPECT_EQ(cells[2].label, "heads 2 · post · lr 0.001");
  EXPECT_EQ(cells[2].name, "heads=2+norm=post+lr=0.001");
}

TEST(SweepGrid, FolderNamesStayShortAndApart) {
  std::string many = "cut_heads=";
  for (int alternative = 0; alternative < 2; ++alternative) {
    if (alternative > 0) many += ';';
    for (int head = 0; head < 3 + alternative; ++head)
      many += fmt::format("{}encoder.0.self.head.{}", head > 0 ? "," : "", head);
  }
  Config adder;
  const Words names = names_of(grid({many}, 1, adder));
  EXPECT_NE(names[0], names[1]);
  for (const std::string& name : names) {
    EXPECT_LE(name.size(), 255U);
    EXPECT_EQ(name.find('/'), std::string::npos);
  }
}

TEST(SweepGrid, RefusesWithOneClearLine) {
  EXPECT_TRUE(
      holds(grid_refusal({"position=alibi,rope,alibi"}), "'alibi' stands in the list twice"));
  EXPECT_TRUE(holds(grid_refusal({"lr=0.001,1e-3"}), "train.lr")) << "equal as numbers";
  EXPECT_TRUE(holds(grid_refusal({"position=alibi,ropee"}), "did you mean 'rope'"));
  EXPECT_TRUE(holds(grid_refusal({"steps=5,"}), "train.steps=''"));
  EXPECT_TRUE(holds(grid_refusal({"steps=5,-3"}), "train.steps='-3'"));
  EXPECT_TRUE(holds(grid_refusal({"seed=1,2"}), "--seeds"));
  EXPECT_TRUE(holds(grid_refusal({"task.name=addition,sortedness"}), "one task"));
  EXPECT_TRUE(holds(grid_refusal({"digits=1,2"}), "setting of addition"));
  EXPECT_TRUE(holds(grid_refusal({"steps=1,2", "train.steps=5"}), "given twice"));
  EXPECT_TRUE(holds(grid_refusal({"steps=5", "train.steps=1,2"}), "given twice"));
  EXPECT_TRUE(holds(grid_refusal({"stepz=1,2"}), "did you mean 'steps'"));
  EXPECT_TRUE(holds(grid_refusal({"steps"}), "key=value"));
  std::string many = "batch=1", others = "steps=1";
  for (int i = 2; i <= 101; ++i) {
    many += fmt::format(",{}", i);
    others += fmt::format(",{}", i);
  }
  EXPECT_TRUE(holds(grid_refusal({many, others}), "more than 10000"));
}

TEST(SweepGrid, NamesTheCellThatCannotBe) {
  const std::string message = grid_refusal({"d_model=128,90", "heads=2,4"});
  EXPECT_TRUE(holds(message, "d_model=90+heads=4:")) << message;
  EXPECT_TRUE(holds(message, "not divisible")) << message;
}

TEST(SweepGrid, WhatNoListsMakeIsRefused) {
  const auto said = [](const SweepGrid& grid) {
    return message_of<UsageError>([&] { check_grid(grid); });
  };
  SweepGrid grid{.base = sorter(), .axes = {{.setting = "model.heads", .values = {"1", "2"}}}};
  EXPECT_EQ(said(grid), "no error");
  grid.seeds = 0;
  EXPECT_EQ(said(grid), "0 seeds: accepted is at least 1");
  grid.seeds = 1;
  grid.axes.push_back({.setting = "model.d_ff", .values = {}});
  EXPECT_EQ(said(grid), "'model.d_ff' has no alternative");
  grid.axes.back().values.assign(10000, "1");
  EXPECT_TRUE(holds(said(grid), "more than 10000 combinations")) << said(grid);
}

TEST(SweepGrid, SeedsEndWhereNumbersEnd) {
  Config start = sorter();
  start.seed = std::numeric_limits<std::uint64_t>::max();
  EXPECT_EQ(sweep_grid(start, Words{}, 1).seeds, 1);
  EXPECT_TRUE(
      holds(message_of<UsageError>([&] { (void)sweep_grid(start, Words{}, 2); }), "beyond"));
}

TEST(SweepGrid, ALargerGridContainsASmallerOne) {
  const SweepGrid small = grid({"position=alibi,rope", "steps=7"}, 2);
  const auto missing = [&](const Words& words, std::int64_t seeds) {
    return missing_from(grid(words, seeds), small);
  };
  EXPECT_EQ(missing({"position=alibi,rope", "steps=7"}, 2), Words{});
  EXPECT_EQ(missing({"position=t5,rope,alibi", "steps=7"}, 5), Words{});
  EXPECT_EQ(missing({"position=alibi,t5", "steps=7"}, 2),
            Words{"model.position=alibi,t5 against alibi,rope"});
  EXPECT_EQ(missing({"position=alibi,rope", "steps=8"}, 2), Words{"train.steps=8 against 7"});
  EXPECT_EQ(missing({"position=alibi,rope", "steps=7"}, 1), Words{"seeds 1 to 1 against 1 to 2"});
  EXPECT_EQ(missing({"position=alibi,rope", "steps=7", "seed=2"}, 5),
            Words{"seeds 2 to 6 against 1 to 2"});
  EXPECT_EQ(missing({"position=alibi", "steps=7"}, 2),
            Words{"model.position=alibi against alibi,rope"});
  EXPECT_EQ(missing({"position=alibi,rope", "steps=7", "pooling=mean,max"}, 2),
            Words{"model.pooling=mean,max against " + field_text(small.base.model.pooling)});
  EXPECT_EQ(missing_from(grid({}, 1, Config{}), small),
            Words{"task.name=addition against sortedness"});
}

TEST(SweepGrid, TheCommandMakesTheGridAgain) {
  const SweepGrid swept =
      grid({"kinds=adjacent;shuffle,distant", "position=alibi,rope", "steps=7", "seed=4"}, 3);
  EXPECT_EQ(sweep_command(swept),
            "heddle train sortedness --seed 4 --set 'task.kinds=adjacent;shuffle,distant' "
            "model.position=alibi,rope train.steps=7 --seeds 3 --out sweep");
}

TEST(SweepGrid, TheCommandNamesAFileAndNotWhatWasReadOffIt) {
  Config base = preset_of_task("default", "file");
  base.task.path = "my pairs.csv";
  base.task.vocabulary = 8;
  base.task.longest_input = base.task.longest_output = 3;
  EXPECT_EQ(sweep_command(grid({"model.d_ff=16,32"}, 2, base)),
            "heddle train 'file:my pairs.csv' --set model.d_ff=16,32 --seeds 2 --out sweep");
}

}  // namespace
}  // namespace heddle
