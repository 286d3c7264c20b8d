// See folder.hpp.
#include "heddle/study/sweep/folder.hpp"

#include "heddle/base/checked_json.hpp"
#include "heddle/base/file.hpp"
#include "heddle/base/text.hpp"
#include "heddle/base/version.hpp"
#include "heddle/config/load.hpp"
#include "heddle/kernels/isa.hpp"
#include "heddle/record/json.hpp"
#include "heddle/study/plan_file.hpp"

namespace heddle {
namespace {

constexpr std::int64_t kSchema = 1;

SweepGrid grid_of(const Json& json) {
  check(json.at("schema") == Json(kSchema), "its schema is {}, not {}", json.at("schema").dump(),
        kSchema);
  SweepGrid grid{.base = parse_config(json.at("config").dump()), .axes = {}, .seeds = 1};
  for (const Json& axis : json.at("axes"))
    grid.axes.push_back({.setting = axis.at("setting").get<std::string>(),
                         .values = axis.at("values").get<std::vector<std::string>>()});
  grid.base.seed = json.at("first_seed").get<std::uint64_t>();
  grid.seeds = json.at("seeds").get<std::int64_t>();
  check_grid(grid);
  for (const SweepAxis& axis : grid.axes)  // as it was written: whole names, values that are taken
    for (const std::string& value : axis.values) {
      Config tried = grid.base;
      set(tried, axis.setting, value);
      check(full_name(axis.setting) == axis.setting, "'{}' is not a setting's whole name",
            axis.setting);
    }
  return grid;
}

/// A run or a study has another file of its own.
void check_free(const std::string& folder) {
  for (const char* file : {"config.json", "study.json", "results.json"})
    check<UsageError>(!file_exists(folder + "/" + file),
                      "{} holds something else (its {}); choose another --out", quote_path(folder),
                      file);
}

}  // namespace

Json sweep_json(const SweepGrid& grid) {
  Json axes = Json::array();
  for (const SweepAxis& axis : grid.axes)
    axes.push_back({{"setting", axis.setting}, {"values", axis.values}});
  return {{"schema", kSchema},
          {"version", kVersion},
          {"isa", kernels::isa()},
          {"task", field_text(grid.base.task.name)},
          {"config", Json::parse(config_json(grid.base))},
          {"axes", axes},
          {"first_seed", grid.base.seed},
          {"seeds", grid.seeds}};
}

SweepGrid read_sweep_grid(const std::string& path) {
  const Json json = read_checked_json(path);
  try {
    return grid_of(json);
  } catch (const Json::exception& error) {
    throw FileError(fmt::format("{} is damaged ({})", quote_path(path), error.what()));
  } catch (const Error& error) {
    throw FileError(fmt::format("{} is damaged ({})", quote_path(path), error.what()));
  }
}

void check_sweep_origin(const std::string& folder) {
  const Json json = read_checked_json(fmt::format("{}/{}", folder, kSweepFile));
  check_origin(folder, json.value("version", ""), json.value("isa", ""));
}

void claim_sweep_folder(const std::string& folder, const SweepGrid& grid) {
  const std::string path = fmt::format("{}/{}", folder, kSweepFile);
  if (!file_exists(path)) {
    check_free(folder);
    write_checked_json(path, sweep_json(grid), 2);
    return;
  }
  check_sweep_origin(folder);
  const std::vector<std::string> missing = missing_from(grid, read_sweep_grid(path));
  check<UsageError>(missing.empty(),
                    "{} holds another sweep ({}); it may grow by alternatives and seeds, for "
                    "anything else choose another --out",
                    quote_path(folder), join(missing, "; "));
  if (!(read_checked_json(path) == sweep_json(grid))) write_checked_json(path, sweep_json(grid), 2);
}

}  // namespace heddle
