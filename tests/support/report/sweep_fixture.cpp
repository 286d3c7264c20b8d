// See sweep_fixture.hpp.
#include "tests/support/report/sweep_fixture.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "heddle/base/text.hpp"
#include "heddle/study/sweep/summary.hpp"

namespace heddle::testing {
namespace {

constexpr int kSweepProblems = 1000;

void add_cells(SweepStudy& study) {
  std::size_t count = 1;
  for (const SweepAxisRecord& axis : study.axes) count *= axis.values.size();
  for (std::size_t i = 0; i < count; ++i) {
    SweepCellRecord cell;
    std::size_t number = i;
    cell.values.resize(study.axes.size());
    for (std::size_t a = study.axes.size(); a-- > 0;) {
      const auto& values = study.axes[a].values;
      cell.values[a] = values[number % values.size()];
      number /= values.size();
    }
    cell.name = fmt::format("cell-{}", i);
    cell.label = join(cell.values, " · ");
    cell.config = "{\n  \"seed\": 1\n}\n";
    study.cells.push_back(std::move(cell));
  }
}

SweepMember member_of(const SweepCellRecord& cell, std::uint64_t seed, int right, bool asked_far,
                      double chance) {
  SweepMember member;
  member.cell = cell.name;
  member.seed = seed;
  member.run = fmt::format("members/{}/seed-{}", cell.name, seed);
  member.steps = member.best_step = 400;
  member.samples = 25600;
  member.config_hash = "00112233aabbccdd";
  member.data_hash = "ddccbbaa33221100";
  if (right < 0) {
    member.failure = "training diverged: the loss is nan at step 7";
    return member;
  }
  if (asked_far)
    member.scores.push_back(
        score_of({.name = "far", .correct = right, .total = kSweepProblems, .chance = chance}));
  member.scores.push_back(score_of({.name = "near",
                                    .correct = right + (kSweepProblems - right) / 2,
                                    .total = kSweepProblems,
                                    .chance = chance}));
  for (int step = 100; step <= 400; step += 100) {
    const double share = static_cast<double>(right) / kSweepProblems;
    const double learnt = 1 - std::exp(-step / 200.0);
    member.log.push_back({.step = step,
                          .train_loss = 0.7 - 0.6 * share * learnt,
                          .validation_loss = 0.7 - 0.5 * share * learnt,
                          .accuracy = 0.5 + (share - 0.5) * learnt});
  }
  return member;
}

}  // namespace

SweepStudy made_up_sweep(const MadeUp& made) {
  SweepStudy study;
  study.version = "0.0.0";
  study.isa = "baseline";
  study.task = "sortedness";
  study.command = "heddle train sortedness --seeds 3";
  for (const auto& [setting, values] : made.axes)
    study.axes.push_back(
        {.setting = setting, .name = setting.substr(setting.rfind('.') + 1), .values = values});
  for (std::size_t seed = 1; seed <= made.right.front().size(); ++seed) study.seeds.push_back(seed);
  add_cells(study);
  for (std::size_t cell = 0; cell < study.cells.size(); ++cell)
    for (const std::uint64_t seed : study.seeds) {
      const bool far = std::ranges::find(made.lacks_far, cell) == made.lacks_far.end();
      study.members.push_back(
          member_of(study.cells[cell], seed, made.right[cell][seed - 1], far, made.chance));
    }
  summarise_sweep(study);
  return study;
}

SweepStudy sweep_fixture(std::size_t seeds) {
  MadeUp made{.axes = {{"model.position", {"sinusoidal", "alibi", "rope"}},
                       {"model.pooling", {"mean", "max"}}},
              .right = {{502, 498, 507, 511},
                        {547, 561, 530, 549},
                        {655, 631, 702, 668},
                        {942, 977, 901, 1000},
                        {603, 655, 640, 611},
                        {711, 768, 690, 742}}};
  for (auto& row : made.right) row.resize(seeds);
  SweepStudy study = made_up_sweep(made);
  study.cells[0].defect = "reproduction of a defect, on purpose: task.bos=none";
  study.members[0].watchdogs = {"step 12, plateau: the loss has stayed within 0.01 nat of 0.693"};
  SweepMember& last = study.members.back();
  last.failure = "training diverged: the loss is nan at step 7";
  last.scores.clear();
  last.log.clear();
  summarise_sweep(study);
  return study;
}

}  // namespace heddle::testing
