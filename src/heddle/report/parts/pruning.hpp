// What is left of a model when heads go: the same for a study's members and for a run.
#pragma once

#include <string>
#include <vector>

#include "heddle/record/addition_study.hpp"
#include "heddle/report/document/document.hpp"

namespace heddle::report {

/// A model whose heads are gone from the weights, and whose it is.
struct SmallerRow {
  std::vector<Text> owner;  ///< cells before its name; of equal number in all rows
  const SmallerModel* model = nullptr;
};

/// Heads, parameters and answers of really smaller models. `owner` heads the cells of their owners.
Table smaller_table(const Source& source, const std::vector<Column>& owner,
                    const std::vector<SmallerRow>& rows);

/// The way down, head by head.
Table way_table(const Source& source, const PruneCurve& curve);
/// The same as a figure: a whole SVG file, empty where nothing was cut. `name` says of what.
std::string pruning_curve(const PruneCurve& curve, const std::string& name);

}  // namespace heddle::report
