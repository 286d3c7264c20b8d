// The sortedness study as long tables: see tables.hpp.
#include "heddle/report/document/tables.hpp"

#include <cmath>

#include <fmt/format.h>

#include "heddle/record/tree.hpp"

namespace heddle::report {
namespace {

double share_of(std::int64_t part, std::int64_t whole) {
  return whole == 0 ? std::nan("") : static_cast<double>(part) / static_cast<double>(whole);
}

/// A ceiling that nobody knows is left empty.
double known(double ceiling) {
  return ceiling < 0 ? std::nan("") : ceiling;
}

FileText cells_csv(const SortednessStudy& study) {
  Csv csv("cells.csv", "recipe,seed,length,kind,delta,values,measure,value,low,high");
  const double none = std::nan("");
  for (const SortMember& member : study.members)
    for (const SortCell& cell : member.cells) {
      const auto put = [&](const char* measure, double value, double low, double high) {
        csv.row(member, cell.length, cell.kind, cell.delta, cell.values, measure, value, low, high);
      };
      put("accuracy", share_of(cell.correct, cell.total), cell.low, cell.high);
      put("correct", static_cast<double>(cell.correct), none, none);
      put("total", static_cast<double>(cell.total), none, none);
      put("tpr", cell.tpr, none, none);
      put("tnr", cell.tnr, none, none);
      put("auroc", cell.auroc, none, none);
      put("predicted_positive", cell.predicted_positive, none, none);
      put("constant", cell.constant ? 1 : 0, none, none);
      put("threshold", cell.threshold, none, none);
      put("ceiling", known(cell.ceiling), none, none);
      put("pairs", share_of(cell.pairs_correct, cell.pairs_total), none, none);
      put("ties", cell.ties, none, none);
      put("gap1", cell.gap1, none, none);
      put("descents", cell.descents, none, none);
    }
  return csv.file();
}

FileText estimates_csv(const SortednessStudy& study) {
  Csv csv("estimates.csv",
          "recipe,group,length,kind,delta,values,measure,given_learned,seeds,median,low,high,worst,"
          "best,ceiling");
  for (const SortPopulation& p : study.populations)
    for (const SortEstimate& e : p.estimates)
      csv.add(p.recipe, p.group, e.length, e.kind, e.delta, e.values, e.measure, e.given_learned,
              e.seeds, e.median, e.low, e.high, e.worst, e.best, known(e.ceiling));
  return csv.file();
}

FileText members_csv(const SortednessStudy& study) {
  Csv csv("members.csv",
          "recipe,seed,position,pooling,normaliser,direction,norm,values,kinds,lengths,layers,"
          "d_model,heads,parameters,steps,batch,best_step,threshold,in_range,learned,constant");
  for (const SortMember& m : study.members)
    csv.row(m, m.position, m.pooling, m.normaliser, m.direction, m.norm, m.values, m.kinds,
            m.lengths, m.layers, m.d_model, m.heads, m.parameters, m.steps, m.batch, m.best_step,
            m.threshold, m.in_range, m.learned, m.constant);
  return csv.file();
}

FileText curves_csv(const SortednessStudy& study) {
  Csv csv("learning_curves.csv", "recipe,seed,step,measure,value");
  for (const SortMember& member : study.members)
    for (const SortLogPoint& point : member.log) {
      csv.row(member, point.step, "train_loss", point.train_loss);
      csv.row(member, point.step, "validation_loss", point.validation_loss);
      csv.row(member, point.step, "accuracy", point.accuracy);
      csv.row(member, point.step, "predicted_positive", point.predicted_positive);
    }
  return csv.file();
}

FileText explanations_csv(const SortednessStudy& study) {
  Csv csv("explanations.csv", "explanation,list,label,x,y,low,high");
  const auto at = [](const std::vector<double>& values, std::size_t i) {
    return i < values.size() ? values[i] : std::nan("");
  };
  for (const SortExplanation& explanation : study.explanations) {
    const auto put = [&](const char* list, const std::vector<SortCurve>& curves) {
      for (const SortCurve& curve : curves)
        for (std::size_t i = 0; i < curve.x.size(); ++i)
          csv.add(explanation.id, list, curve.label, curve.x[i], at(curve.y, i), at(curve.low, i),
                  at(curve.high, i));
    };
    put("predicted", explanation.predicted);
    put("measured", explanation.measured);
  }
  return csv.file();
}

/// Accuracies only: what the reports put under this name.
std::string extrapolation_json(const SortednessStudy& study) {
  Json results = Json::array();
  for (const SortPopulation& population : study.populations) {
    Json cells = Json::array();
    for (const SortEstimate& estimate : population.estimates)
      if (estimate.measure == "accuracy") cells.push_back(to_tree(estimate));
    results.push_back({{"recipe", population.recipe},
                       {"position", population.position},
                       {"pooling", population.pooling},
                       {"group", population.group},
                       {"learned", population.learned},
                       {"seeds", population.seeds},
                       {"accuracy", cells}});
  }
  const Json trained{study.train_shortest, study.train_longest};
  return Json{{"schema", study.schema}, {"train_lengths", trained}, {"results", results}}.dump(1) +
         "\n";
}

std::string log_json(const SortednessStudy& study) {
  Json members = Json::array();
  for (const SortMember& member : study.members)
    members.push_back(
        {{"recipe", member.recipe}, {"seed", member.seed}, {"log", to_tree(member.log)}});
  return Json{{"schema", study.schema}, {"members", members}}.dump(1) + "\n";
}

}  // namespace

std::vector<FileText> tables(const SortednessStudy& study) {
  return {cells_csv(study),  estimates_csv(study),    members_csv(study),
          curves_csv(study), explanations_csv(study), claims_csv(study.claims)};
}

std::vector<FileText> exports(const SortednessStudy& study) {
  return {{.path = "training_log.json", .text = log_json(study)},
          {.path = "extrapolation_results.json", .text = extrapolation_json(study)}};
}

}  // namespace heddle::report
