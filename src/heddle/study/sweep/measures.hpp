// What a member of a sweep is asked: the one place that knows the tasks.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "heddle/base/parallel.hpp"
#include "heddle/config/config.hpp"
#include "heddle/record/sweep.hpp"

namespace heddle {

/// The measures of the finished run in `run`, made with `config`; the most telling first. A measure
/// of the same name is the same question in every cell of a sweep, unless the cells differ in the
/// task itself. What cannot be asked of a member (learned positions end) is left out. `between` is
/// called now and then and may throw.
std::vector<Measure> measure_run(const std::string& run, const Config& config, Team& team,
                                 const std::function<void()>& between = {});

}  // namespace heddle
