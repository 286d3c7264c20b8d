// See tables.hpp.
#include "heddle/report/document/tables.hpp"

#include <cmath>

#include <fmt/format.h>

#include "heddle/record/tree.hpp"
#include "heddle/report/document/label.hpp"

namespace heddle::report {
namespace {

void add_effect(Csv& csv, const MemberRecord& member, const Effect& effect, const char* scope) {
  const HeadName name = parse_head(effect.what);
  const auto put = [&](const std::string& measure, double value, double low, double high) {
    csv.row(member, module_of(effect.what), name.layer,
            name.number < 0 ? "" : std::to_string(name.number), scope, measure, effect.mode, value,
            low, high, effect.p, effect.p_holm, effect.band);
  };
  const double none = std::nan("");
  put("drop", effect.drop, effect.low, effect.high);
  put("margin_drop", effect.margin_drop, none, none);
  for (std::size_t i = 0; i < effect.by_digit.size(); ++i)
    put(fmt::format("drop_digit_{}", i), effect.by_digit[i], none, none);
  for (std::size_t i = 0; i < effect.by_carries.size(); ++i)
    put(fmt::format("drop_carries_{}", i), effect.by_carries[i], none, none);
}

FileText ablation_csv(const AdditionStudy& study) {
  Csv csv("ablation.csv",
          "recipe,seed,module,layer,head,scope,measure,mode,value,low,high,p,p_holm,band");
  for (const MemberRecord& member : study.members) {
    for (const Effect& effect : member.ablation.heads) add_effect(csv, member, effect, "head");
    for (const Effect& effect : member.ablation.modules) add_effect(csv, member, effect, "module");
    for (const Effect& effect : member.ablation.leave_one_in)
      add_effect(csv, member, effect, "leave_one_in");
  }
  return csv.file();
}

FileText pairs_csv(const AdditionStudy& study) {
  Csv csv("pairs.csv", "recipe,seed,a,b,measure,value,low,high");
  const double none = std::nan("");
  for (const MemberRecord& member : study.members)
    for (const PairEffect& pair : member.ablation.pairs) {
      csv.row(member, pair.a, pair.b, "drop", pair.drop, pair.low, pair.high);
      csv.row(member, pair.a, pair.b, "excess", pair.excess, none, none);
    }
  return csv.file();
}

FileText specialisation_csv(const AdditionStudy& study) {
  Csv csv("specialisation.csv", "recipe,seed,module,layer,head,kind,measure,value,uniform");
  for (const MemberRecord& member : study.members) {
    const auto put = [&](const std::string& head, const char* kind, const std::string& measure,
                         double value, double uniform) {
      const HeadName name = parse_head(head);
      csv.row(member, module_of(head), name.layer, name.number, kind, measure, value, uniform);
    };
    for (const HeadMeasure& m : member.specialisation.measures)
      put(m.head, "measure", m.measure, m.value, m.uniform);
    for (const HeadRole& role : member.specialisation.roles)
      put(role.head, "role", role.role, role.score, std::nan(""));
    for (const HeadMeasure& m : member.specialisation.as_reported)
      put(m.head, "as_reported", m.measure, m.value, m.uniform);
  }
  return csv.file();
}

FileText pruning_csv(const AdditionStudy& study) {
  Csv csv("pruning.csv", "recipe,seed,by,repeat,heads_left,cut,correct,total,value,low,high");
  for (const MemberRecord& member : study.members) {
    for (const PruneCurve& curve : member.pruning.curves)
      for (const PrunePoint& point : curve.points)
        csv.row(member, curve.by, curve.repeat, point.heads_left, point.cut, point.scored.correct,
                point.scored.total, point.scored.share(), point.low, point.high);
    for (const SmallerModel& model : member.pruning.smaller)
      csv.row(member, model.name, 0, model.heads_left, "", model.scored.correct, model.scored.total,
              model.scored.share(), model.low, model.high);
  }
  return csv.file();
}

FileText patching_csv(const AdditionStudy& study) {
  Csv csv("patching.csv",
          "recipe,seed,list,column,direction,place,position,token,pairs,value,low,high,control,"
          "control_low,control_high");
  for (const MemberRecord& member : study.members) {
    const auto put = [&](const std::vector<PatchEffect>& effects, const char* list) {
      for (const PatchEffect& e : effects)
        csv.row(member, list, e.column, e.direction, e.place, e.position, e.token, e.pairs,
                e.effect, e.low, e.high, e.control, e.control_low, e.control_high);
    };
    put(member.patching.heads, "head");
    put(member.patching.places, "place");
    put(member.patching.stream, "stream");
  }
  return csv.file();
}

FileText probes_csv(const AdditionStudy& study) {
  Csv csv(
      "probes.csv",
      "recipe,seed,tap,position,token,target,value,low,high,majority,control,untrained,held_out");
  for (const MemberRecord& member : study.members)
    for (const ProbeResult& p : member.probing.probes)
      csv.row(member, p.tap, p.position, p.token, p.target, p.accuracy, p.low, p.high, p.majority,
              p.control, p.untrained, p.held_out);
  return csv.file();
}

/// Shares as rows of measure, correct, total, value.
void add_share(Csv& csv, const MemberRecord& member, std::int64_t step, const std::string& measure,
               const Count& count) {
  csv.row(member, step, measure, count.total == 0 ? std::nan("") : count.share());
}

FileText curves_csv(const AdditionStudy& study) {
  Csv csv("learning_curves.csv", "recipe,seed,step,measure,value");
  for (const MemberRecord& member : study.members)
    for (const CurveRow& row : member.curve) {
      csv.row(member, row.step, "learning_rate", row.learning_rate);
      csv.row(member, row.step, "train_loss", row.train_loss);
      csv.row(member, row.step, "validation_loss", row.validation_loss);
      add_share(csv, member, row.step, "tokens", row.tokens);
      add_share(csv, member, row.step, "teacher_forced", row.teacher_forced);
      add_share(csv, member, row.step, "greedy", row.greedy);
      for (std::size_t i = 0; i < row.by_carries.size(); ++i)
        add_share(csv, member, row.step, fmt::format("greedy_carries_{}", i), row.by_carries[i]);
    }
  return csv.file();
}

FileText snapshots_csv(const AdditionStudy& study) {
  Csv csv("snapshots.csv", "recipe,seed,step,measure,value");
  for (const MemberRecord& member : study.members)
    for (const Snapshot& shot : member.snapshots) {
      add_share(csv, member, shot.step, "greedy", shot.greedy);
      add_share(csv, member, shot.step, "tokens", shot.tokens);
      for (std::size_t i = 0; i < shot.by_carries.size(); ++i)
        add_share(csv, member, shot.step, fmt::format("greedy_carries_{}", i), shot.by_carries[i]);
      for (const NamedValue& value : shot.modules)
        csv.row(member, shot.step, "drop " + value.name, value.value);
      for (const NamedValue& value : shot.roles)
        csv.row(member, shot.step, "role " + value.name, value.value);
      for (const NamedValue& value : shot.measures)
        csv.row(member, shot.step, "measure " + value.name, value.value);
    }
  return csv.file();
}

/// {"schema", "members": [{"recipe", "seed", name: …}]}.
template <class Part>
std::string part_json(const AdditionStudy& study, const char* name, Part MemberRecord::* part) {
  Json members = Json::array();
  for (const MemberRecord& member : study.members)
    members.push_back(
        {{"recipe", member.recipe}, {"seed", member.seed}, {name, to_tree(member.*part)}});
  return Json{{"schema", study.schema}, {"members", members}}.dump(1) + "\n";
}

}  // namespace

FileText claims_csv(const std::vector<Claim>& claims) {
  Csv csv("claims.csv",
          "id,report,statement,predicate,rule,logical,verdict,reason,evidence,recipe,hits,seeds,"
          "low,high,text");
  for (const Claim& claim : claims) {
    const auto put = [&](const auto&... finding) {
      csv.add(claim.id, claim.report, claim.statement, claim.predicate, claim.rule, claim.logical,
              claim.verdict, claim.reason, claim.evidence, finding...);
    };
    if (claim.findings.empty()) put("", "", "", "", "", "");
    for (const Finding& f : claim.findings) put(f.recipe, f.hits, f.seeds, f.low, f.high, f.text);
  }
  return csv.file();
}

std::vector<FileText> tables(const AdditionStudy& study) {
  return {ablation_csv(study), pairs_csv(study),     specialisation_csv(study),
          pruning_csv(study),  patching_csv(study),  probes_csv(study),
          curves_csv(study),   snapshots_csv(study), claims_csv(study.claims)};
}

std::vector<FileText> exports(const AdditionStudy& study) {
  return {{.path = "training_log.json", .text = part_json(study, "curve", &MemberRecord::curve)},
          {.path = "head_analysis/ablation_results.json",
           .text = part_json(study, "ablation", &MemberRecord::ablation)},
          {.path = "head_analysis/head_specialization.json",
           .text = part_json(study, "specialisation", &MemberRecord::specialisation)}};
}

}  // namespace heddle::report
