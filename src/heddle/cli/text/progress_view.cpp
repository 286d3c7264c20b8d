// See progress_view.hpp.
#include "heddle/cli/text/progress_view.hpp"

#include <algorithm>
#include <cmath>

#include "heddle/base/interrupt.hpp"
#include "heddle/base/text.hpp"

namespace heddle::cli {
namespace {

constexpr auto kQuiet = std::chrono::seconds(10);  // between two lines where there is no terminal

}  // namespace

ProgressView::ProgressView(Console& console, std::string doing, std::string unit)
    : console_(&console), doing_(std::move(doing)), unit_(std::move(unit)) {}

std::string ProgressView::text(Index done, Index total) const {
  const double seconds = std::chrono::duration<double>(Clock::now() - begin_).count();
  const double rate = seconds > 0 ? static_cast<double>(done) / seconds : 0;
  std::string text =
      fmt::format("{}, {} of {} {}", doing_, format_count(done), format_count(total), unit_);
  if (rate <= 0 || done >= total) return text;
  return text + fmt::format("  {}/s  {} left",
                            rate >= 10 ? format_count(static_cast<Index>(rate))
                                       : fmt::format("{:.2g}", rate),
                            format_seconds(std::ceil(static_cast<double>(total - done) / rate)));
}

void ProgressView::operator()(Index done, Index total) {
  stop_if_interrupted();
  if (console_->due()) {
    console_->bar(static_cast<double>(done) / static_cast<double>(std::max<Index>(total, 1)),
                  text(done, total));
  } else if (!console_->draws() && Clock::now() - told_ >= kQuiet && done < total) {
    told_ = Clock::now();
    console_->note("{}", text(done, total));
  }
}

}  // namespace heddle::cli
