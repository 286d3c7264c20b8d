// See picture.hpp.
#include "heddle/report/draw/picture.hpp"

#include <optional>
#include <set>

#include <fmt/format.h>

#include "heddle/base/file.hpp"
#include "heddle/base/process.hpp"
#include "heddle/base/text.hpp"

namespace heddle::report {
namespace {

constexpr const char* kProgram = "rsvg-convert";
constexpr const char* kZoom = "2.5";  // 760 units become 1,900 pixels: 300 a inch at 16 cm

constexpr std::string_view kUnfinished = ".png~";

/// Several processes may draw one report: each has names of its own.
std::string unfinished(const std::string& svg_path) {
  return fmt::format("{}.{}{}", svg_path, process_number(), kUnfinished);
}

/// Removes what processes that are no more have left beside the figure.
void remove_unfinished(const std::string& folder) {
  for (const std::string& name : names_in(folder)) {
    if (!name.ends_with(kUnfinished)) continue;
    const std::string_view whose =
        std::string_view(name).substr(0, name.size() - kUnfinished.size());
    const auto number = parse_int(whose.substr(whose.rfind('.') + 1));
    if (!number || !process_lives(static_cast<int>(*number)))
      (void)remove_all(fmt::format("{}/{}", folder, name));
  }
}

}  // namespace

std::string picture_path(const std::string& svg_path) {
  return svg_path.substr(0, svg_path.size() - 3) + "png";
}

std::string draw_pictures(const std::vector<std::string>& svg_paths) {
  std::vector<std::vector<std::string>> calls;
  std::set<std::string> folders;
  for (const std::string& path : svg_paths) {
    calls.push_back({kProgram, "--zoom", kZoom, "--output", unfinished(path), path});
    folders.insert(path.substr(0, path.rfind('/')));
  }
  for (const std::string& folder : folders) remove_unfinished(folder);
  const std::vector<int> codes = run_programs(calls);
  std::string failed;
  for (std::size_t i = 0; i < codes.size(); ++i) {
    const std::string temporary = unfinished(svg_paths[i]);
    if (codes[i] == 0 && file_exists(temporary)) {
      move_file(temporary, picture_path(svg_paths[i]));
    } else {
      (void)remove_all(temporary);
      failed = svg_paths[i];
      if (codes[i] == kNotStarted)
        return fmt::format("no PNG pictures: {} cannot be started (is librsvg2-bin installed?)",
                           kProgram);
    }
  }
  return failed.empty()
             ? ""
             : fmt::format("no PNG picture of {}: {} failed", quote_path(failed), kProgram);
}

void draw_picture(const std::string& svg, const std::string& png_path) {
  const std::string from = png_path + ".svg~", temporary = png_path + "~";
  write_file(from, svg);
  const int code = run_programs({{kProgram, "--zoom", kZoom, "--output", temporary, from}}).front();
  (void)remove_all(from);
  if (code == 0) {
    move_file(temporary, png_path);
    return;
  }
  (void)remove_all(temporary);
  throw FileError(fmt::format("cannot write {}: {}", quote_path(png_path),
                              code == kNotStarted
                                  ? fmt::format("{} (package librsvg2-bin) draws PNG files and is "
                                                "not installed; a .svg file needs nothing",
                                                kProgram)
                                  : fmt::format("{} failed", kProgram)));
}

}  // namespace heddle::report
