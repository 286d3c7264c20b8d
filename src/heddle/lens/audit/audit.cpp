// See audit.hpp: opens the run, asks its questions once, and lets each family of checks look.
#include "heddle/lens/audit/audit.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "heddle/base/decimal.hpp"
#include "heddle/base/file.hpp"
#include "heddle/base/index.hpp"
#include "heddle/base/rng.hpp"
#include "heddle/base/text.hpp"
#include "heddle/kernels/loss.hpp"
#include "heddle/lens/audit/parts.hpp"

namespace heddle {
namespace {

constexpr Index kMost = 2000;  // questions asked
constexpr Index kBlock = 125;  // questions in one pass

double logit(const Tensor& logits, Index row, std::int32_t token) {
  return static_cast<double>(logits.data<float>()[row * logits.dim(-1) + token]);
}

/// One block of questions: forced in one pass, then answered.
void ask_block(const Member& member, const EncodedQuestions& set, const Edits* edits, Index first,
               AuditAnswers& answers) {
  const Index count = std::min(kBlock, set.size - first), length = answers.positions;
  const ModelInput input = set.part(first, count);
  Run run(member.weights, edits);
  Activations at;
  member.model->forward(run, input, at);
  const Tensor logits = at.logits.value;
  std::int32_t* forced = answers.forced.data() + first * length;
  std::int32_t* said = answers.said.data() + first * length;
  kernels::argmax(logits.rows<float>(), forced);
  member.model->answer(run, input, at, std::span(said, to_size(count * length)));
  for (Index i = 0; i < count * length; ++i) {
    const double best = logit(logits, i, forced[i]), other = logit(logits, i, said[i]);
    answers.tie[to_size(first * length + i)] =
        best - other <= rounding_of(member, set.source_length, std::abs(best)) ? 1 : 0;
  }
}

/// Whether every token that is asked for was said.
bool all_right(const std::int32_t* asked, std::span<const std::int32_t> said) {
  for (std::size_t t = 0; t < said.size(); ++t)
    if (asked[t] != kNoTarget && asked[t] != said[t]) return false;
  return true;
}

/// Questions of a file's task without its file: words at random.
Questions made_up(const Member& member) {
  constexpr Index kQuestions = 16;
  const TaskShape& shape = member.model->shape();
  Rng rng(member.config.seed, "audit.questions");
  const auto draw = [&](Index length) {
    std::vector<std::int32_t> words(to_size(length));
    for (std::int32_t& word : words)
      word = static_cast<std::int32_t>(rng.below(static_cast<std::uint64_t>(shape.words)));
    return words;
  };
  const auto some = [&](Index longest) {
    return 1 + static_cast<Index>(rng.below(static_cast<std::uint64_t>(longest)));
  };
  Questions list;
  for (Index i = 0; i < kQuestions; ++i)
    list.add(draw(some(shape.longest_input)),
             shape.labels ? std::vector<std::int32_t>{0} : draw(some(shape.longest_output)));
  return list;
}

std::optional<TrainingLog> read_log(const std::string& run) {
  const std::string path = run + "/training_log.json";
  return file_exists(path) ? std::optional(read_training_log(path)) : std::nullopt;
}

}  // namespace

Count AuditAnswers::count() const {
  return {.correct = std::accumulate(right.begin(), right.end(), std::int64_t{0}),
          .total = std::ssize(right)};
}

AuditAnswers ask(const Member& member, const EncodedQuestions& set, const Edits* edits,
                 Team& team) {
  AuditAnswers answers;
  answers.positions = set.positions();
  const std::size_t all = set.wanted.size();
  answers.forced.resize(all);
  answers.said.resize(all);
  answers.tie.resize(all);
  const Index blocks = (set.size + kBlock - 1) / kBlock;
  team.run(static_cast<int>(blocks),
           [&](int block) { ask_block(member, set, edits, block * kBlock, answers); });
  for (Index row = 0; row < set.size; ++row) {
    answers.forced_right.push_back(all_right(set.targets(row), answers.forced_row(row)) ? 1 : 0);
    const bool right = all_right(set.wanted_row(row).data(), answers.decoded_row(row));
    answers.right.push_back(right && !set.cannot_be_right(row) ? 1 : 0);
  }
  return answers;
}

double rounding_of(const Member& member, Index length, double largest) {
  constexpr double kUnit = 0x1p-24, kSums = 5 + 3, kDeviations = 16;
  const ModelConfig& model = member.config.model;
  const auto blocks = member.model->taps().with_role(TapRole::block_end).size();
  const auto layers = static_cast<double>(blocks + 1);
  const auto terms = static_cast<double>(std::max({model.d_model, model.d_ff, length}));
  return kDeviations * layers * kSums * std::sqrt(terms) * kUnit * std::max(1.0, largest);
}

std::string count_text(std::int64_t part, std::int64_t all) {
  const double share = all > 0 ? static_cast<double>(part) / static_cast<double>(all) : 0;
  return fmt::format("{} of {} ({})", format_count(part), format_count(all), share_text(share));
}

std::string share_text(double share) {
  return format_percent(share, 2);
}

AuditCheck not_applicable(std::string name, std::string why) {
  return {
      .name = std::move(name), .verdict = AuditCheck::kNotApplicable, .finding = std::move(why)};
}

AuditCheck could_not_tell(std::string name, std::string why) {
  return {.name = std::move(name), .verdict = AuditCheck::kCouldNotTell, .finding = std::move(why)};
}

Audit audit_run(const std::string& run, const Member& member, const AuditOptions& options,
                Team& team) {
  const auto at = [&](std::string_view what) {
    if (options.progress) options.progress(what);
  };
  at("data");
  std::optional<AuditData> data;
  std::string no_data;
  try {
    data = open_audit_data(member.config, options.reading);
    if (data->task->test().size() == 0) no_data = "the task's file holds no test examples";
  } catch (const FileError& error) {
    no_data = error.what();
  }
  if (!no_data.empty()) data.reset();
  const std::optional<TrainingLog> log = read_log(run);
  const EncodedQuestions asked =
      encoded(member, data ? some_of(data->task->test(), 0, kMost) : made_up(member));
  at("answers");
  const AuditAnswers answers = ask(member, asked, options.edits, team);
  const AuditSubject subject{.run = run,
                             .member = member,
                             .asked = asked,
                             .data = data ? &*data : nullptr,
                             .no_data = no_data,
                             .answers = data ? &answers : nullptr,
                             .log = log ? &*log : nullptr,
                             .options = options};
  Audit audit;
  audit_answers(subject, audit.checks);
  audit_numbers(subject, audit.checks);
  at("splits");
  audit_data(subject, audit.checks);
  audit_balance(subject, audit.checks);
  at("weights");
  audit_weights(subject, audit.checks);
  at("masks");
  audit_masks(subject, audit.checks);
  return audit;
}

}  // namespace heddle
