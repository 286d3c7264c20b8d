// Checks of what a model must not hear: padding, and what comes later; and of what it must hear.
#include <algorithm>
#include <array>
#include <cmath>

#include "heddle/base/index.hpp"
#include "heddle/lens/audit/tables.hpp"
#include "heddle/lens/places.hpp"

namespace heddle {
namespace {

constexpr Index kQuestions = 16;  // that are tried

/// One question by itself, with as much padding behind it as wanted.
class Padded {
 public:
  Padded(const EncodedQuestions& set, Index row, Index width, std::int32_t filler) {
    const ModelInput whole = set.part(row, 1);
    const Index used = set.used(Stream::source, row), length = used + width;
    for (Index t = 0; t < length; ++t) {
      const bool real = t < used;
      const Index at = real ? t : used - 1;
      ids_.push_back(real ? whole.source.ids[t] : filler);
      valid_.push_back(real ? 1 : 0);
      places_.push_back(static_cast<std::int32_t>(whole.source.place(0, at)));
      pooled_.push_back(real && (whole.pooled == nullptr || whole.pooled[t] != 0) ? 1 : 0);
    }
    input_ = whole;
    input_.source.ids = ids_.data();
    input_.source.length = length;
    input_.source.valid = width > 0 ? valid_.data() : nullptr;
    // Padding stands where the last token does, so that no table ends before it.
    input_.source.places = places_.data();
    const bool all = std::ranges::find(pooled_, 0) == pooled_.end();
    input_.pooled = all ? nullptr : pooled_.data();
  }
  Padded(const Padded&) = delete;
  Padded& operator=(const Padded&) = delete;

  const ModelInput& input() const { return input_; }

 private:
  std::vector<std::int32_t> ids_, places_;
  std::vector<std::uint8_t> valid_, pooled_;
  ModelInput input_;
};

Tensor logits_of(const AuditSubject& s, const ModelInput& input, const Edits* edits) {
  Run run(s.member.weights, edits);
  return s.member.model->forward(run, input).value;
}
Tensor logits_of(const AuditSubject& s, const ModelInput& input) {
  return logits_of(s, input, s.options.edits);
}

double largest_of(std::span<const float> values) {
  double most = 0;
  for (const float v : values) most = std::max(most, std::abs(static_cast<double>(v)));
  return most;
}

/// max |a − b|; infinite where one of them is no number.
double difference(std::span<const float> a, std::span<const float> b) {
  double most = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const double here = std::abs(static_cast<double>(a[i]) - static_cast<double>(b[i]));
    if (!(here <= most)) most = std::isnan(here) ? HUGE_VAL : here;
  }
  return most;
}

std::string question(const AuditSubject& s, Index row) {
  return s.data != nullptr ? s.task().text(s.question(row).input)
                           : fmt::format("made-up question {}", row);
}

/// The largest of some differences, and where it was seen.
struct Worst {
  double most = 0;
  std::string where;

  void see(double here, const std::string& what) {
    if (!(here > most)) return;
    most = here;
    where = what;
  }
};

AuditCheck padding(const AuditSubject& s) {
  AuditCheck check{.name = "padding"};
  Worst width, filler, batch;
  double allowed = 0;
  const std::int32_t pad = s.shape().pad();
  const Index rows = std::min(kQuestions, s.asked.size);
  const Tensor together = logits_of(s, s.asked.part(0, rows));
  for (Index row = 0; row < rows; ++row) {
    const Tensor alone = logits_of(s, Padded(s.asked, row, 0, pad).input());
    const auto numbers = alone.flat<float>();
    allowed = std::max(allowed, rounding_of(s.member, s.asked.source_length, largest_of(numbers)));
    const auto mine = together.flat<float>().subspan(to_size(row) * numbers.size(), numbers.size());
    batch.see(difference(numbers, mine), question(s, row));
    for (const Index more : {1, 3, 8}) {
      const Tensor padded = logits_of(s, Padded(s.asked, row, more, pad).input());
      width.see(difference(numbers, padded.flat<float>()),
                fmt::format("{} with {} more tokens", question(s, row), more));
      for (const std::int32_t other : {0, pad - 1, pad + 1})
        filler.see(
            difference(padded.flat<float>(),
                       logits_of(s, Padded(s.asked, row, more, other).input()).flat<float>()),
            fmt::format("{} with token {} as padding", question(s, row), other));
    }
  }
  check.evidence = {{"alone against in a batch", fmt::format("{:.3g}", batch.most)},
                    {"alone against padded", fmt::format("{:.3g}", width.most)},
                    {"another token as padding", fmt::format("{:.3g}", filler.most)},
                    {"what rounding may come to", fmt::format("{:.3g}", allowed)}};
  const Worst& worst = filler.most > 0 ? filler : (width.most > batch.most ? width : batch);
  check.finding = fmt::format("logits change by at most {:.3g}", worst.most);
  if (filler.most == 0 && width.most <= allowed && batch.most <= allowed) return check;
  check.verdict = AuditCheck::kFail;
  check.evidence.push_back({"example", worst.where});
  check.meaning = "an answer depends on how long the other questions of its batch are";
  check.advice = "mask padding in every attention and in the pooling";
  return check;
}

/// Other tokens from a place on; every one differs from what stood there.
std::vector<std::int32_t> changed_from(std::span<const std::int32_t> tokens, Index from,
                                       Index vocabulary) {
  std::vector<std::int32_t> other(tokens.begin(), tokens.end());
  for (auto t = to_size(from); t < other.size(); ++t)
    other[t] = static_cast<std::int32_t>((other[t] + 1) % vocabulary);
  return other;
}

/// What the two passes of a trial showed: rows of numbers per position.
struct SeenRows {
  std::string name;
  Tensor values;  ///< [1, position, feature]
};

/// The logits where each position says something, else the residual stream at every block.
std::vector<SeenRows> streams_of(const AuditSubject& s, const ModelInput& input) {
  if (!s.asked.labels) return {{"logits", logits_of(s, input)}};
  std::vector<SeenRows> seen;
  const TapTable& taps = s.member.model->taps();
  Edits edits = s.options.edits != nullptr ? *s.options.edits : Edits(taps);
  for (const TapId tap : stream_taps(s.member))
    edits.on(taps[tap].path, [&seen](const TapSite& site, const Var& x) {
      seen.push_back({site.point.path, x.value});
      return x;
    });
  logits_of(s, input, &edits);
  return seen;
}

/// Where the rows before `from` differ.
void compare_before(const std::vector<SeenRows>& a, const std::vector<SeenRows>& b, Index from,
                    const std::string& what, Worst& worst) {
  for (std::size_t i = 0; i < a.size(); ++i) {
    const auto numbers = to_size(from * (a[i].values.size() / a[i].values.dim(1)));
    worst.see(difference(a[i].values.flat<float>().first(numbers),
                         b[i].values.flat<float>().first(numbers)),
              fmt::format("{} of {}", a[i].name, what));
  }
}

AuditCheck causality(const AuditSubject& s) {
  AuditCheck check{.name = "causality"};
  const bool labels = s.asked.labels;
  const auto& attentions = s.member.model->taps().heads();
  if (std::ranges::find(attentions, AttentionKind::causal_self, &HeadGroup::kind) ==
      attentions.end())
    return not_applicable(check.name, "the encoder looks both ways");
  const Index vocabulary = labels ? s.shape().words : s.member.model->choices();
  Worst worst;
  Index trials = 0;
  for (Index row = 0; row < std::min(kQuestions, s.asked.size); ++row) {
    ModelInput input = s.asked.part(row, 1);
    const auto tokens = labels ? s.asked.source_row(row) : s.asked.target_row(row);
    const auto before = streams_of(s, input);
    for (Index from = 1; from < std::ssize(tokens); ++from, ++trials) {
      const std::vector<std::int32_t> other = changed_from(tokens, from, vocabulary);
      (labels ? input.source : input.target).ids = other.data();
      compare_before(before, streams_of(s, input), from,
                     fmt::format("{}, tokens changed from place {} on", question(s, row), from),
                     worst);
    }
  }
  check.evidence = {{"changes tried", std::to_string(trials)},
                    {"largest difference before the change", fmt::format("{:.3g}", worst.most)}};
  check.finding =
      fmt::format("changing later tokens changes what comes before by {:.3g}", worst.most);
  if (worst.most == 0) return check;
  check.verdict = AuditCheck::kFail;
  check.evidence.push_back({"example", worst.where});
  check.meaning =
      "in training the model can read the answer that it is asked for; in decoding it "
      "cannot";
  check.advice = "mask every key behind the query";
  return check;
}

/// The control of the two above: what the question is must matter.
AuditCheck output_depends_on_input(const AuditSubject& s) {
  AuditCheck check{.name = "hears the question"};
  Worst worst;
  const Index free = s.data != nullptr ? s.task().traits().free_words : 0;
  const Index words = free > 0 ? free : s.shape().words;
  Index heard = 0, trials = 0;
  for (Index row = 0; row < std::min(kQuestions, s.asked.size); ++row) {
    ModelInput input = s.asked.part(row, 1);
    const auto tokens = s.asked.source_row(row);
    const Tensor before = logits_of(s, input);
    for (Index t = 0; t < s.asked.used(Stream::source, row); ++t) {
      const auto place = to_size(t);
      if (tokens[place] >= words) continue;
      std::vector<std::int32_t> other(tokens.begin(), tokens.end());
      other[place] = static_cast<std::int32_t>((other[place] + 1) % words);
      input.source.ids = other.data();
      const double here = difference(before.flat<float>(), logits_of(s, input).flat<float>());
      worst.see(here, question(s, row));
      heard += here > 0 ? 1 : 0;
      ++trials;
    }
  }
  check.evidence = {{"tokens whose change is heard", count_text(heard, trials)},
                    {"largest change of a logit", fmt::format("{:.3g}", worst.most)}};
  check.finding =
      fmt::format("{} changed tokens of the question change the logits", count_text(heard, trials));
  // One who judges by the worst place alone does not hear every change.
  if (heard > 0) return check;
  check.verdict = AuditCheck::kFail;
  check.meaning = "the answer does not depend on the question";
  check.advice = "check the masks of the encoder and of the cross-attention, and for dead weights";
  return check;
}

}  // namespace

void audit_masks(const AuditSubject& s, AuditChecks& checks) {
  checks.push_back(padding(s));
  checks.push_back(causality(s));
  checks.push_back(output_depends_on_input(s));
}

}  // namespace heddle
