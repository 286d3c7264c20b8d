// See palette.hpp.
#include "heddle/report/draw/palette.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <span>

#include <fmt/format.h>

#include "heddle/base/index.hpp"

namespace heddle::report {
namespace {

struct Swatch {
  std::string_view light, dark, name;
};
// In the order of Ink. Line colours have a contrast of at least 4.5 with their background, so that
// labels may wear them; they differ in lightness too, and stay apart without red or green.
constexpr std::array<Swatch, 11> kSwatches{{
    {"#ffffff", "#15181c", "paper"},
    {"#1b1f24", "#e6e9ed", "ink"},
    {"#57606a", "#9aa4af", "muted"},
    {"#e2e6ea", "#30363d", "grid"},
    {"#9aa4af", "#9aa4af", "masked"},
    {"#0060a8", "#6db6f2", "s0"},
    {"#b84a00", "#ff9a57", "s1"},
    {"#00785a", "#4cc9a0", "s2"},
    {"#8e4585", "#d79bd0", "s3"},
    {"#7a6200", "#d9b83a", "s4"},
    {"#3d4a57", "#aebac6", "s5"},
}};
constexpr std::array<std::string_view, 9> kBlues{"#ffffff", "#e3eef9", "#cde0f1",
                                                 "#a5cde3", "#6baed6", "#4292c6",
                                                 "#2171b5", "#08519c", "#08306b"};
constexpr std::array<std::string_view, 9> kBlueOrange{"#08519c", "#3f8fc5", "#92c5de",
                                                      "#d8e9f3", "#ffffff", "#fde3c8",
                                                      "#f9b977", "#d9772b", "#8c3a04"};
constexpr int kSteps = 100;

const Swatch& swatch(Ink ink) {
  return kSwatches[to_size(ink)];
}

/// The colour at `share` of the way through evenly spaced stops.
std::string between(std::span<const std::string_view> stops, double share) {
  const double at = std::clamp(share, 0.0, 1.0) * static_cast<double>(stops.size() - 1);
  const auto low = std::min(static_cast<std::size_t>(at), stops.size() - 2);
  const double part = at - static_cast<double>(low);
  const unsigned from = rgb_of(stops[low]), to = rgb_of(stops[low + 1]);
  unsigned mixed = 0;
  for (unsigned shift = 0; shift <= 16; shift += 8) {
    const auto a = static_cast<double>((from >> shift) & 0xffU);
    const auto b = static_cast<double>((to >> shift) & 0xffU);
    mixed |= static_cast<unsigned>(std::lround(a + part * (b - a))) << shift;
  }
  return fmt::format("#{:06x}", mixed);
}

}  // namespace

Ink series_ink(std::size_t i) {
  return static_cast<Ink>(to_size(Ink::s0) + i % kSeriesColours);
}
std::string_view colour(Ink ink) {
  return swatch(ink).light;
}
std::string_view dark_colour(Ink ink) {
  return swatch(ink).dark;
}
std::string_view class_name(Ink ink) {
  return swatch(ink).name;
}

std::string sequential(double share) {
  return between(kBlues, std::round(share * kSteps) / kSteps);
}
std::string diverging(double share) {
  return between(kBlueOrange, (std::round(share * kSteps) / kSteps + 1) / 2);
}

unsigned rgb_of(std::string_view hex) {
  unsigned value = 0;
  std::from_chars(hex.data() + 1, hex.data() + hex.size(), value, 16);
  return value;
}

bool is_dark(std::string_view hex) {
  // Relative luminance; at this one white and our ink have the same contrast with it.
  constexpr double kBetween = 0.207;
  const unsigned rgb = rgb_of(hex);
  const auto part = [&](unsigned shift) {
    const double c = static_cast<double>((rgb >> shift) & 0xffU) / 255;
    return c <= 0.03928 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4);
  };
  return 0.2126 * part(16) + 0.7152 * part(8) + 0.0722 * part(0) < kBetween;
}

std::vector<std::string> all_colours() {
  std::vector<std::string> all;
  for (const Swatch& swatch : kSwatches) all.emplace_back(swatch.light);
  for (int step = 0; step <= kSteps; ++step) {
    const double share = static_cast<double>(step) / kSteps;
    all.push_back(sequential(share));
    all.push_back(diverging(share));
    all.push_back(diverging(-share));
  }
  return all;
}

}  // namespace heddle::report
