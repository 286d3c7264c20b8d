// A sweep as long tables: see tables.hpp.
#include "heddle/report/document/tables.hpp"

#include <cmath>

#include "heddle/report/sweep/view.hpp"

namespace heddle::report {
namespace {

std::string number(double value) {
  return std::isfinite(value) ? fmt::format("{}", value) : "";
}

/// A chance that nobody knows is left empty.
std::string known(double chance) {
  return chance < 0 ? "" : number(chance);
}

/// The cell, then a column per setting that is swept.
std::string header(const SweepStudy& study, const std::string& rest) {
  std::string text = "cell";
  for (const SweepAxisRecord& axis : study.axes) text += "," + axis.setting;
  return text + "," + rest;
}
std::vector<std::string> begin_row(const SweepCellRecord& cell) {
  std::vector<std::string> row{cell.name};
  row.insert(row.end(), cell.values.begin(), cell.values.end());
  return row;
}

template <class Each>
void each_member(const SweepStudy& study, Each&& each) {
  for (const SweepCellRecord& cell : study.cells)
    for (const SweepMember* member : members_of(study, cell)) each(cell, *member);
}

FileText sweep_csv(const SweepStudy& study) {
  Csv csv("sweep.csv",
          header(study, "seed,measure,correct,total,value,low,high,chance,above_chance"));
  each_member(study, [&](const SweepCellRecord& cell, const SweepMember& member) {
    for (const SweepScore& score : member.scores) {
      std::vector<std::string> row = begin_row(cell);
      for (std::string& text : std::vector<std::string>{
               fmt::format("{}", member.seed), score.measure, fmt::format("{}", score.correct),
               fmt::format("{}", score.total), number(score.value), number(score.low),
               number(score.high), known(score.chance),
               score.chance < 0 ? "" : (score.above_chance ? "yes" : "no")})
        row.push_back(std::move(text));
      csv.add_row(row);
    }
  });
  return csv.file();
}

FileText cells_csv(const SweepStudy& study) {
  Csv csv("cells.csv", header(study,
                              "measure,seeds,mean,low,high,over,worst,worst_seed,best,above_chance,"
                              "complete,failed"));
  for (const SweepCellRecord& cell : study.cells)
    for (const SweepEstimate& e : cell.estimates) {
      std::vector<std::string> row = begin_row(cell);
      for (std::string& text : std::vector<std::string>{
               e.measure, fmt::format("{}", e.seeds), number(e.mean), number(e.low), number(e.high),
               std::string(name_of(e.over)), number(e.worst), fmt::format("{}", e.worst_seed),
               number(e.best), e.chance < 0 ? "" : fmt::format("{}", e.above_chance),
               fmt::format("{}", e.complete), fmt::format("{}", cell.failed)})
        row.push_back(std::move(text));
      csv.add_row(row);
    }
  return csv.file();
}

FileText contrasts_csv(const SweepStudy& study) {
  Csv csv("contrasts.csv",
          "setting,measure,better,other,better_mean,other_mean,difference,low,high,over,p,p_holm,"
          "told_apart,pairs,ahead,behind,seeds");
  for (const SweepContrast& c : study.contrasts)
    csv.add(c.setting, c.measure, c.better, c.other, c.better_mean, c.other_mean, c.difference,
            c.low, c.high, c.over, c.p, c.p_holm, c.told_apart, c.pairs, c.ahead, c.behind,
            c.seeds);
  return csv.file();
}

FileText curves_csv(const SweepStudy& study) {
  Csv csv("learning_curves.csv", header(study, "seed,step,measure,value"));
  each_member(study, [&](const SweepCellRecord& cell, const SweepMember& member) {
    for (const SweepPoint& point : member.log) {
      const auto put = [&](const char* measure, double value) {
        std::vector<std::string> row = begin_row(cell);
        for (std::string& text :
             std::vector<std::string>{fmt::format("{}", member.seed), fmt::format("{}", point.step),
                                      measure, number(value)})
          row.push_back(std::move(text));
        csv.add_row(row);
      };
      put("train_loss", point.train_loss);
      put("validation_loss", point.validation_loss);
      put("accuracy", point.accuracy);
    }
  });
  return csv.file();
}

}  // namespace

std::vector<FileText> tables(const SweepStudy& study) {
  return {sweep_csv(study), cells_csv(study), contrasts_csv(study), curves_csv(study)};
}

}  // namespace heddle::report
