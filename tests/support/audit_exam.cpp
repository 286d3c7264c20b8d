// See audit_exam.hpp.
#include "tests/support/audit_exam.hpp"

#include <algorithm>

#include <gtest/gtest.h>

#include "heddle/base/index.hpp"
#include "tests/support/tiny_model.hpp"

namespace heddle::testing {
namespace {

Member perturbed(const Config& config) {
  Member member = make_member(config);
  perturb(member.weights);
  member.weights.pack();
  return member;
}

}  // namespace

AuditExam::AuditExam(const Config& settings)
    : config(settings),
      member(perturbed(settings)),
      data(open_audit_data(settings, {})),
      asked(encoded(member, some_of(task().test(), 0, 2000))) {
  answer_rightly();
}

void AuditExam::answer_rightly() {
  answers.positions = asked.positions();
  answers.forced = asked.wanted;
  answers.said = answers.forced;
  answers.tie.assign(answers.said.size(), 0);
  answers.forced_right.assign(to_size(asked.size), 1);
  answers.right = answers.forced_right;
}

void AuditExam::say(Index row, const std::vector<std::int32_t>& tokens, bool right) {
  std::ranges::copy(tokens, answers.said.begin() + row * answers.positions);
  answers.right[to_size(row)] = right ? 1 : 0;
}

void AuditExam::write_log(double loss, Index rows) {
  log.emplace();
  log->data_hash = task().data_hash();
  const Count count{0, task().validation().size()};
  for (Index i = 0; i < rows; ++i) {
    LogRow row;
    row.step = i + 1;
    row.train_loss = loss;
    (asked.labels ? row.accuracy : row.greedy) = count;
    log->rows.push_back(row);
  }
}

AuditSubject AuditExam::subject() const {
  return {.run = run,
          .member = member,
          .asked = asked,
          .data = &data,
          .answers = &answers,
          .log = log ? &*log : nullptr,
          .options = options};
}

AuditCheck AuditExam::check(void (*family)(const AuditSubject&, AuditChecks&),
                            const std::string& name) const {
  AuditChecks checks;
  family(subject(), checks);
  return find_check(checks, name);
}

Edit hearing_the_end() {
  return [](const TapSite&, const Var& x) {
    const Index batch = x.value.dim(0), length = x.value.dim(1), width = x.value.dim(2);
    Tensor out = Tensor::uninitialised(x.value.shape(), DType::f32);
    const auto* in = x.value.data<float>();
    auto* to = out.write<float>();
    for (Index b = 0; b < batch; ++b)
      for (Index t = 0; t < length; ++t)
        for (Index i = 0; i < width; ++i)
          to[(b * length + t) * width + i] =
              in[(b * length + t) * width + i] + in[(b * length + length - 1) * width + i];
    Var changed = x;
    changed.value = out;
    return changed;
  };
}

AuditCheck find_check(const std::vector<AuditCheck>& checks, const std::string& name) {
  const auto found = std::ranges::find(checks, name, &AuditCheck::name);
  EXPECT_NE(found, checks.end()) << name;
  return found == checks.end() ? AuditCheck{.name = name, .verdict = "missing"} : *found;
}

std::string evidence_of(const AuditCheck& check, const std::string& name) {
  const auto found = std::ranges::find(check.evidence, name, &AuditEvidence::name);
  return found == check.evidence.end() ? "" : found->value;
}

}  // namespace heddle::testing
