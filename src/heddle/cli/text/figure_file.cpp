// See figure_file.hpp.
#include "heddle/cli/text/figure_file.hpp"

#include "heddle/base/check.hpp"
#include "heddle/base/file.hpp"
#include "heddle/base/text.hpp"
#include "heddle/report/draw/picture.hpp"

namespace heddle::cli {

void check_figure_path(const std::string& path) {
  check<UsageError>(path.ends_with(".svg") || path.ends_with(".png"),
                    "--out {}: a figure is an .svg or a .png file", quote_path(path));
}

void write_figure(const std::string& path, const std::string& svg) {
  if (path.ends_with(".png")) {
    report::draw_picture(svg, path);
  } else {
    write_file(path, svg);
  }
}

}  // namespace heddle::cli
