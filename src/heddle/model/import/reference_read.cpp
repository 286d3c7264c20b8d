// What another program's model read and put out, from a file; see reference.hpp.
#include <algorithm>
#include <cmath>

#include "heddle/base/text.hpp"
#include "heddle/model/import/reference.hpp"

namespace heddle {
namespace {

const ForeignTensor& needed(const ForeignFile& file, const std::string& name, int rank) {
  const ForeignTensor* found = file.find(name);
  check<FileError>(found != nullptr, "{} has no tensor '{}'", quote_path(file.path), name);
  check<FileError>(found->shape.rank() == rank && found->shape.size() > 0,
                   "{}: '{}' has shape {}; accepted are {} axes that are not empty",
                   quote_path(file.path), name, found->shape, rank);
  return *found;
}

/// Their token numbers as ours.
std::vector<std::int32_t> tokens_of(const ForeignFile& file, const ForeignTensor& tensor,
                                    const TheirIds& ids, Index vocabulary) {
  check<FileError>(!tensor.floating(), "{}: '{}' is of type {}; accepted are whole numbers",
                   quote_path(file.path), tensor.name, safetensors::stored_name(tensor.stored));
  std::vector<std::int32_t> tokens;
  const Index columns = tensor.shape[1];
  for (const double number : tensor.numbers().flat<double>()) {
    const auto at = std::ssize(tokens);
    const auto ours =
        number < 0 ? std::nullopt : our_id(ids, static_cast<Index>(number), vocabulary);
    check<FileError>(ours.has_value(),
                     "{}: '{}' holds {} at [{}, {}], which stands for none of our tokens",
                     quote_path(file.path), tensor.name, number, at / columns, at % columns);
    tokens.push_back(static_cast<std::int32_t>(*ours));
  }
  return tokens;
}

void check_rows(const ForeignFile& file, const ForeignTensor& tensor, Index rows) {
  check<FileError>(tensor.shape[0] == rows, "{}: '{}' has shape {}, and 'source' has {} rows",
                   quote_path(file.path), tensor.name, tensor.shape, rows);
}

void take_logits(const ForeignFile& file, const ForeignTensor& logits, Reference& reference) {
  check_rows(file, logits, reference.rows);
  check<FileError>(logits.shape.rank() == 2 || logits.shape[1] == reference.target_length,
                   "{}: 'logits' has shape {}, and 'target' has {} columns", quote_path(file.path),
                   logits.shape, reference.target_length);
  check<FileError>(logits.floating(),
                   "{}: 'logits' is of type {}; accepted are F32, F64, F16 and BF16",
                   quote_path(file.path), safetensors::stored_name(logits.stored));
  reference.logits = logits.numbers();
  for (const double logit : reference.logits.flat<double>())
    check<FileError>(std::isfinite(logit), "{}: 'logits' holds {}; accepted are finite numbers",
                     quote_path(file.path), logit);
  reference.unit = std::max(0x1p-24, logits.rounding());
}

/// There is a logit of theirs for each of ours that they have.
void check_columns(const ForeignFile& file, Index columns, const TheirIds& ids, Index ours) {
  Index most = -1;
  for (const std::optional<Index>& id : ids) most = std::max(most, id.value_or(-1));
  check<FileError>(ids.empty() ? columns == ours : most < columns,
                   "{}: 'logits' has {} columns; the map needs {}{}", quote_path(file.path),
                   columns, ids.empty() ? "" : "at least ", ids.empty() ? ours : most + 1);
}

}  // namespace

Reference read_reference(const ForeignFile& file, const Config& config, const TokenIds& ids,
                         const WeightLayout& layout) {
  const Index target_vocabulary = rows_of_weight(layout, "decoder.embed.token");
  const bool classifier = target_vocabulary == 0;
  std::vector<std::string> known{"source", "logits"};
  if (!classifier) known.emplace_back("target");
  for (const std::string& name : file.names())
    check<FileError>(std::ranges::find(known, name) != known.end(),
                     "{} holds {}; accepted for {} are {}", quote_path(file.path), quote(name),
                     field_text(config.task.name), join(known, ", "));
  const ForeignTensor& source = needed(file, "source", 2);
  Reference reference;
  reference.rows = source.shape[0];
  reference.source_length = source.shape[1];
  reference.source =
      tokens_of(file, source, ids.source, rows_of_weight(layout, "encoder.embed.token"));
  if (!classifier) {
    const ForeignTensor& target = needed(file, "target", 2);
    check_rows(file, target, reference.rows);
    reference.target = tokens_of(file, target, ids.target, target_vocabulary);
    reference.target_length = target.shape[1];
  }
  take_logits(file, needed(file, "logits", classifier ? 2 : 3), reference);
  const TheirIds& said = classifier ? ids.classes : ids.said;
  check_columns(file, reference.logits.dim(-1), said,
                rows_of_weight(layout, classifier ? "head.b_out" : "unembed.b"));
  return reference;
}

}  // namespace heddle
