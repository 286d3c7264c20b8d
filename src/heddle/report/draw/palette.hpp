// Colours: safe for colour-blind readers, light as on paper, with a dark twin for each line colour.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace heddle::report {

/// Ink of a figure. The page gives each of these names a second colour for the dark.
enum class Ink : std::uint8_t { paper, ink, muted, grid, masked, s0, s1, s2, s3, s4, s5 };

constexpr std::size_t kSeriesColours = 6;
/// The i-th line colour, around again after the last.
Ink series_ink(std::size_t i);
/// "#1b1f24": on white paper.
std::string_view colour(Ink ink);
/// The same on a dark page.
std::string_view dark_colour(Ink ink);
/// The class that the page's style knows it by.
std::string_view class_name(Ink ink);

/// White to dark blue for 0 … 1; 101 steps, darker is more.
std::string sequential(double share);
/// Blue below, white at 0, orange above, for −1 … 1; 201 steps.
std::string diverging(double share);
/// Whether a text on this background should be white.
bool is_dark(std::string_view hex);
/// "#1b1f24" as 0x1b1f24.
unsigned rgb_of(std::string_view hex);
/// Every colour a figure may use.
std::vector<std::string> all_colours();

}  // namespace heddle::report
