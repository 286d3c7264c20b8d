// See picture.hpp.
#include "heddle/report/draw/picture.hpp"

#include <fmt/format.h>

#include "heddle/base/file.hpp"
#include "heddle/base/process.hpp"
#include "heddle/base/text.hpp"

namespace heddle::report {
namespace {

constexpr const char* kProgram = "rsvg-convert";
constexpr const char* kZoom = "2.5";  // 760 units become 1,900 pixels: 300 a inch at 16 cm

}  // namespace

std::string picture_path(const std::string& svg_path) {
  return svg_path.substr(0, svg_path.size() - 3) + "png";
}

std::string draw_pictures(const std::vector<std::string>& svg_paths) {
  std::vector<std::vector<std::string>> calls;
  for (const std::string& path : svg_paths)
    calls.push_back({kProgram, "--zoom", kZoom, "--output", path + ".png~", path});
  const std::vector<int> codes = run_programs(calls);
  std::string failed;
  for (std::size_t i = 0; i < codes.size(); ++i) {
    const std::string temporary = svg_paths[i] + ".png~";
    if (codes[i] == 0) {
      move_file(temporary, picture_path(svg_paths[i]));
    } else {
      (void)remove_all(temporary);
      failed = svg_paths[i];
      if (codes[i] == kNotStarted)
        return fmt::format("no PNG pictures: {} is not installed (package librsvg2-bin)", kProgram);
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
  std::error_code error, ignored;
  std::filesystem::remove(from, ignored);
  if (code == 0) {
    std::filesystem::rename(temporary, png_path, error);
    check<FileError>(!error, "cannot write {}: {}", quote_path(png_path), error.message());
    return;
  }
  std::filesystem::remove(temporary, ignored);
  throw FileError(fmt::format("cannot write {}: {}", quote_path(png_path),
                              code == kNotStarted
                                  ? fmt::format("{} (package librsvg2-bin) draws PNG files and is "
                                                "not installed; a .svg file needs nothing",
                                                kProgram)
                                  : fmt::format("{} failed", kProgram)));
}

}  // namespace heddle::report
