// Which tensor of a foreign file fills which weight of ours: every weight once, every tensor used
// or named as ignored.
#pragma once

#include <string>
#include <vector>

#include "heddle/model/import/map.hpp"
#include "heddle/nn/weights.hpp"
#include "heddle/tensor/foreign.hpp"

namespace heddle {

/// One weight and what fills it.
struct Filling {
  WeightId weight = -1;
  const ForeignTensor* from = nullptr;  ///< null: source.fill everywhere
  TensorSource source;
};

/// One Linear of theirs in a classifier's head.
struct HeadLayer {
  const ForeignTensor* weight = nullptr;  ///< [out, in]
  const ForeignTensor* bias = nullptr;    ///< [out]; null: zeros
};

struct ImportPlan {
  std::vector<Filling> weights;  ///< all but those that `head` fills
  std::vector<HeadLayer> head;   ///< none, one, or two with a ReLU between
  std::vector<const ForeignTensor*> sinusoids;
  std::vector<std::string> used, ignored;  ///< tensors of theirs
  std::vector<std::string> constant;       ///< weights of ours that no tensor fills
};

/// `file` must outlive the plan. UsageError for a map that contradicts itself or the model,
/// FileError for a file that does not hold what the map needs, or more.
ImportPlan plan_import(const ImportMap& map, const ForeignFile& file, const WeightLayout& ours);

}  // namespace heddle
