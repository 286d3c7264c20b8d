// See values.hpp.
#include "heddle/model/import/values.hpp"

#include <algorithm>

#include "heddle/base/index.hpp"
#include "heddle/base/text.hpp"
#include "heddle/model/import/import.hpp"

namespace heddle {
namespace {

/// Which axis of a weight counts tokens or classes, and what a missing one gets.
struct CountedAxis {
  int axis = -1;
  const TheirIds* ids = nullptr;  ///< null or empty: as ours
  double missing = 0;

  std::optional<Index> their(Index row, Index column) const {
    const Index at = axis == 0 ? row : column;
    return ids == nullptr ? std::optional(at) : their_id(*ids, at);
  }
  bool renumbered() const { return ids != nullptr && !ids->empty(); }
};

CountedAxis counted_axis(std::string_view path, const TokenIds& ids) {
  if (path == "encoder.embed.token") return {.axis = 0, .ids = &ids.source};
  if (path == "decoder.embed.token") return {.axis = 0, .ids = &ids.target};
  if (path == "unembed.w") return {.axis = 1, .ids = &ids.said};
  if (path == "unembed.b") return {.axis = 0, .ids = &ids.said, .missing = kNeverChosenLogit};
  if (path == "head.w_out") return {.axis = 1, .ids = &ids.classes};
  if (path == "head.b_out") return {.axis = 0, .ids = &ids.classes};
  return {};
}

Shape turned(const Shape& shape) {
  return shape.rank() == 2 ? Shape{shape[1], shape[0]} : shape;
}

/// One filling on its way: their numbers and how they are read.
class Reading {
 public:
  Reading(const WeightSpec& spec, const Filling& filling, const TokenIds& ids,
          const ForeignFile& file)
      : spec_(spec),
        source_(filling.source),
        file_(file),
        counted_(counted_axis(spec.path, ids)),
        transposed_(spec.shape.rank() == 2 &&
                    source_.transpose.value_or(spec.role == WeightRole::matrix)) {
    if (filling.from != nullptr) take(*filling.from);
  }

  double at(Index row, Index column) const {
    const auto id = counted_.axis < 0 ? std::optional<Index>(0) : counted_.their(row, column);
    if (!id) return counted_.missing;
    if (numbers_.empty()) return source_.fill;
    if (counted_.axis == 0) row = *id;
    if (counted_.axis == 1) column = *id;
    if (transposed_) std::swap(row, column);
    return source_.scale * numbers_.data<double>()[(first_ + row) * columns_ + column];
  }

 private:
  void take(const ForeignTensor& tensor) {
    numbers_ = numbers_for(tensor, spec_.shape.rank(), file_);
    const Shape& shape = numbers_.shape();
    const bool rank = shape.rank() == spec_.shape.rank();
    columns_ = rank && shape.rank() == 2 ? shape[1] : 1;
    Shape part = shape;
    if (rank) part[0] = choose_rows(shape[0]);
    const Shape got = transposed_ ? turned(part) : part;
    if (!rank || !fits(got)) refuse_shape(tensor);
    check_ids(got);
  }

  /// How many rows are taken; sets where they begin.
  Index choose_rows(Index rows) {
    constexpr Index kParts = 3;
    const RowPart& part = source_.rows;
    if (part.kind == RowPart::Kind::all) return rows;
    if (part.kind == RowPart::Kind::range) {
      check<FileError>(part.last < rows, "{}: {} has {} rows; the map takes {} to {} for {}",
                       quote_path(file_.path), quote(source_.from), rows, part.first, part.last,
                       spec_.path);
      first_ = part.first;
      return part.last - part.first + 1;
    }
    check<FileError>(rows % kParts == 0,
                     "{}: {} has {} rows, which are not three equal parts: q, k and v",
                     quote_path(file_.path), quote(source_.from), rows);
    first_ = part.first * (rows / kParts);
    return rows / kParts;
  }

  /// An axis that the map renumbers may be as long as it likes.
  bool fits(const Shape& got) const {
    for (int axis = 0; axis < got.rank(); ++axis)
      if (got[axis] != spec_.shape[axis] && !(axis == counted_.axis && counted_.renumbered()))
        return false;
    return true;
  }

  [[noreturn]] void refuse_shape(const ForeignTensor& tensor) const {
    Shape needed = transposed_ ? turned(spec_.shape) : spec_.shape;
    const bool more = source_.rows.kind == RowPart::Kind::all && spec_.shape.rank() == 2 &&
                      numbers_.rank() == 2 && numbers_.dim(1) == needed[1] &&
                      numbers_.dim(0) > needed[0];
    const std::string hint =
        more ? fmt::format(" (\"rows\": [0, {}] takes the first of them)", needed[0] - 1) : "";
    if (source_.rows.kind == RowPart::Kind::third) needed[0] *= 3;
    throw FileError(fmt::format("{}: {} has shape {}; {} needs {}{}", quote_path(file_.path),
                                quote(tensor.name), tensor.shape, spec_.path, needed, hint));
  }

  void check_ids(const Shape& got) const {
    if (!counted_.renumbered()) return;
    for (const std::optional<Index>& id : *counted_.ids)
      check<FileError>(!id || *id < got[counted_.axis],
                       "{}: {} has {} tokens or classes; the map has the number {} for one of ours",
                       quote_path(file_.path), quote(source_.from), got[counted_.axis],
                       id.value_or(0));
  }

  const WeightSpec& spec_;
  const TensorSource& source_;
  const ForeignFile& file_;
  CountedAxis counted_;
  bool transposed_;
  Tensor numbers_;
  Index first_ = 0, columns_ = 1;
};

}  // namespace

Tensor numbers_for(const ForeignTensor& tensor, int rank, const ForeignFile& file) {
  check<FileError>(
      tensor.floating(), "{}: {} is of type {}; accepted for weights are F32, F64, F16 and BF16",
      quote_path(file.path), quote(tensor.name), safetensors::stored_name(tensor.stored));
  const Tensor numbers = tensor.numbers();
  Shape kept;
  int spare = tensor.shape.rank() - rank;
  for (const Index extent : tensor.shape)
    if (extent == 1 && spare > 0) {
      --spare;
    } else {
      kept.push_back(extent);
    }
  return numbers.reshaped(kept);
}

std::vector<double> values_for(const WeightSpec& spec, const Filling& filling, const TokenIds& ids,
                               const ForeignFile& file) {
  const Reading reading(spec, filling, ids, file);
  const Index columns = spec.shape.rank() == 2 ? spec.shape[1] : 1;
  std::vector<double> values;
  values.reserve(to_size(spec.shape.size()));
  for (Index i = 0; i < spec.shape.size(); ++i)
    values.push_back(reading.at(i / columns, i % columns));
  return values;
}

}  // namespace heddle
