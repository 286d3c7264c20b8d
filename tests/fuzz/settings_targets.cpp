// Settings as they are typed and as files hold them, names of heads, and plain texts.
#include <cmath>

#include "heddle/base/json.hpp"
#include "heddle/base/text.hpp"
#include "heddle/config/head_names.hpp"
#include "heddle/config/load.hpp"
#include "heddle/config/presets.hpp"
#include "heddle/config/sequences.hpp"
#include "heddle/config/sweep.hpp"
#include "tests/fuzz/target.hpp"

namespace heddle::testing {
namespace {

/// The first line names a task, if it can.
Config start_of(std::vector<std::string>& lines) {
  Config config = default_config(TaskKind::addition);
  accepted([&] { config = preset_of_task("default", lines.front()); });
  lines.erase(lines.begin());
  return config;
}

/// What is read back is the same.
void round_trip(const Config& config) {
  const std::string text = config_json(config);
  require(parse_config(text) == config, "settings that change in their file");
  require(config_hash(parse_config(text)) == config_hash(config), "a hash that changes");
}

}  // namespace

void fuzz_json(std::string_view bytes) {
  const Json kept = Json::try_parse(bytes, {.outermost_only = true});
  const Json tree = Json::try_parse(bytes);
  require(kept.is_discarded() == tree.is_discarded(), "the outermost values alone are read else");
  accepted([&] { (void)Json::parse(bytes, {.unique_keys = true}); });
  if (tree.is_discarded()) return;
  const std::string text = tree.dump();
  require(Json::parse(text) == tree, "JSON that changes when it is written");
  require(Json::parse(tree.dump(2)).dump() == text, "other JSON with line ends");
  require(Json::parse(printable(text)) == tree, "other JSON on a terminal");
  for (const auto read : {+[](const Json& j) { (void)j.get<std::int64_t>(); },
                          +[](const Json& j) { (void)j.get<std::uint64_t>(); },
                          +[](const Json& j) { (void)j.get<std::int32_t>(); },
                          +[](const Json& j) { (void)j.get<double>(); },
                          +[](const Json& j) { (void)j.get<std::vector<std::int64_t>>(); },
                          +[](const Json& j) { (void)j.get<std::string>(); }})
    accepted([&] { read(tree); });
}

void fuzz_config(std::string_view bytes) {
  Config config;
  if (accepted([&] { config = parse_config(bytes); })) round_trip(config);
}

void fuzz_settings(std::string_view bytes) {
  std::vector<std::string> lines = split(bytes, '\n');
  Config config = start_of(lines);
  for (const std::string& line : lines) accepted([&] { set(config, line); });
  if (accepted([&] { validate(config); })) round_trip(config);
  accepted([&] { (void)parse_lengths(bytes); });
  accepted([&] { (void)parse_kinds(bytes); });
}

void fuzz_setting_lists(std::string_view bytes) {
  std::vector<std::string> lines = split(bytes, '\n');
  const Config config = start_of(lines);
  const auto seeds = 1 + static_cast<std::int64_t>(bytes.size() % 7);
  SweepGrid grid;
  accepted([&] { (void)has_list(config, lines); });
  if (!accepted([&] { grid = sweep_grid(config, lines, seeds); })) return;
  check_grid(grid);
  require(missing_from(grid, grid).empty(), "a grid that does not hold itself");
  require(!sweep_command(grid).empty(), "a grid without its command");
  std::size_t count = 1;
  for (const SweepAxis& axis : grid.axes) count *= axis.values.size();
  constexpr std::size_t kQuick = 64;
  if (count > kQuick) return;
  std::vector<SweepCell> cells;
  if (!accepted([&] { cells = cells_of(grid); })) return;
  for (const SweepCell& cell : cells) {
    round_trip(cell.config);
    require(cell.name.find('/') == std::string::npos && !cell.name.starts_with('.') &&
                cell.name.size() < 256 && printable(cell.name) == cell.name,
            "a cell's name that is no folder's");
  }
}

void fuzz_head_names(std::string_view bytes) {
  if (const auto name = parse_head_name(bytes))
    require(parse_head_name(name->text()) == name, "a head's name that changes");
  std::string sorted;
  if (accepted([&] { sorted = sorted_heads(bytes); }))
    require(sorted_heads(sorted) == sorted, "a list of heads that changes");
  Config config = default_config(TaskKind::addition);
  if (accepted([&] { set(config, "model.cut_heads", bytes); }) &&
      accepted([&] { validate(config); }))
    require(!heads_left(config.model, "encoder.0.self").empty() || !bytes.empty(), "no head");
}

void fuzz_texts(std::string_view bytes) {
  const std::string shown = printable(std::string(bytes)), quoted = quote(bytes);
  require(is_utf8(shown) && is_utf8(quoted), "shown text that is no UTF-8");
  require(printable(shown) == shown, "shown text that is shown otherwise");
  require(printable(quoted) == quoted && quoted.find('\n') == std::string::npos,
          "a quote that steers a terminal");
  require(!is_utf8(bytes) || quote_path(bytes).size() >= bytes.size() + 2, "a path cut short");
  const std::size_t half = bytes.size() / 2;
  (void)matches(bytes.substr(0, half), bytes.substr(half));
  require(join(split(bytes, ','), ",") == bytes, "pieces that do not join");
  if (const auto number = parse_int(bytes))
    require(std::to_string(*number) == bytes || bytes.find('0') != std::string_view::npos,
            "another number");
  if (const auto number = parse_double(bytes)) require(std::isfinite(*number), "no number");
}

}  // namespace heddle::testing
