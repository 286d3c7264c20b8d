// See settings.hpp.
#include "heddle/task/sortedness/settings.hpp"

#include "heddle/config/sequences.hpp"

namespace heddle {

SortednessSettings sortedness_settings(const Config& config, const RowLayout& layout) {
  const LengthRange lengths = parse_lengths(config.task.lengths);
  return {.min_length = lengths.least,
          .max_length = lengths.most,
          .values = config.task.values,
          .kinds = parse_kinds(config.task.kinds),
          .source = config.task.source,
          .batch = config.train.batch,
          .seed = config.seed,
          .coin_flip = config.task.source == DataSource::fixed,
          .layout = layout};
}

}  // namespace heddle
