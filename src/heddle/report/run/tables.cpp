// The tables of a run for spreadsheets and data frames: see document.hpp.
#include "heddle/report/document/label.hpp"
#include "heddle/report/run/document.hpp"

namespace heddle::report {
namespace {

FileText training_csv(const RunRecord& run) {
  Csv csv("learning_curves.csv",
          "step,samples,learning_rate,train_loss,validation_loss,measure,correct,total");
  for (const RunRow& row : run.curve) {
    const auto put = [&](const char* measure, const Count& count) {
      if (count.total > 0)
        csv.add(row.step, row.samples, row.learning_rate, row.train_loss, row.validation_loss,
                measure, count.correct, count.total);
    };
    put("tokens", row.tokens);
    put("teacher_forced", row.teacher_forced);
    put("greedy", row.greedy);
    put("accuracy", row.accuracy);
  }
  return csv.file();
}

FileText score_csv(const RunRecord& run) {
  Csv csv("score.csv", "set,group,unit,name,correct,total,low,high");
  const auto put = [&](const std::string& group, const std::string& unit, const ScoreRow& row) {
    csv.add(run.score.set, group, unit, row.name, row.count.correct, row.count.total, row.low,
            row.high);
  };
  for (const ScoreRow& row : run.score.whole) put("whole", "", row);
  for (const ScoreGroup& group : run.score.groups)
    for (const ScoreRow& row : group.rows) put(group.name, group.unit, row);
  return csv.file();
}

FileText ablation_csv(const RunRecord& run) {
  Csv csv("ablation.csv",
          "module,layer,head,scope,mode,correct,total,drop,low,high,p,p_holm,margin_drop,band");
  const auto put = [&](const Effect& effect, const char* scope) {
    const HeadName name = parse_head(effect.what);
    csv.add(module_of(effect.what), name.layer, name.number < 0 ? "" : std::to_string(name.number),
            scope, effect.mode, effect.count.correct, effect.count.total, effect.drop, effect.low,
            effect.high, effect.p, effect.p_holm, effect.margin_drop, effect.band);
  };
  for (const Effect& effect : run.member.ablation.heads) put(effect, "head");
  for (const Effect& effect : run.member.ablation.modules) put(effect, "module");
  for (const Effect& effect : run.member.ablation.leave_one_in) put(effect, "leave_one_in");
  return csv.file();
}

FileText pruning_csv(const RunRecord& run) {
  Csv csv("pruning.csv", "by,heads_left,cut,chosen_correct,chosen_total,correct,total,low,high");
  for (const PrunePoint& point : run.pruning.curve.points)
    csv.add(run.pruning.curve.by, point.heads_left, point.cut, point.chosen_on.correct,
            point.chosen_on.total, point.scored.correct, point.scored.total, point.low, point.high);
  return csv.file();
}

}  // namespace

std::vector<FileText> tables(const RunRecord& run) {
  std::vector<FileText> files;
  if (!run.curve.empty()) files.push_back(training_csv(run));
  if (!run.score.whole.empty()) files.push_back(score_csv(run));
  if (!run.member.ablation.heads.empty()) files.push_back(ablation_csv(run));
  if (!run.pruning.curve.points.empty()) files.push_back(pruning_csv(run));
  return files;
}

}  // namespace heddle::report
