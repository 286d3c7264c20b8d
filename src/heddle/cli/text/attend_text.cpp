// See attend_text.hpp.
#include "heddle/cli/text/attend_text.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>

#include <fmt/format.h>

#include "heddle/base/index.hpp"
#include "heddle/report/parts/attention.hpp"
#include "heddle/task/file/text_tokens.hpp"

namespace heddle::cli {
namespace {

constexpr std::size_t kGap = 6, kShortest = 4, kLongest = 12;  // letters: between maps, of a name

/// A letter of a token: its bytes, and how many columns it takes.
struct Letter {
  std::string text;
  std::size_t columns = 1;
};

/// Letters of the scripts that terminals draw two columns wide.
bool is_wide(std::string_view letter) {
  constexpr std::array<std::array<std::string_view, 2>, 5> kRanges{
      {{"ᄀ", "ᅟ"}, {"⺀", "꓏"}, {"가", "힣"}, {"豈", "﫿"}, {"！", "｠"}}};
  return letter.size() == 4 ||  // pictures and rare ideographs
         std::ranges::any_of(kRanges, [&](const auto& range) {
           return letter.size() == 3 && range[0] <= letter && letter <= range[1];
         });
}

/// At most `most` of them, the last an ellipsis where there are more.
std::vector<Letter> letters_of(const std::string& token, std::size_t most) {
  std::vector<Letter> letters;
  for_each_character(token, [&](std::string_view letter) {
    letters.push_back({std::string(letter), is_wide(letter) ? std::size_t{2} : 1});
  });
  if (letters.empty()) letters.push_back({"␣", 1});  // the token is a space
  if (letters.size() <= most) return letters;
  letters.resize(most);
  letters.back() = {"…", 1};
  return letters;
}

std::size_t width_of(std::span<const Letter> letters) {
  std::size_t width = 0;
  for (const Letter& letter : letters) width += letter.columns;
  return width;
}

std::string block(double weight) {
  constexpr std::array<const char*, 5> kShades{"  ", "░░", "▒▒", "▓▓", "██"};
  if (!std::isfinite(weight)) return " ·";
  return kShades[to_size(std::clamp(std::lround(weight * 4), 0L, 4L))];
}

/// Some heads of one module side by side, two columns a cell.
class Band {
 public:
  Band(std::span<const report::Map> maps, std::size_t margin) : maps_(maps), margin_(margin) {}

  static std::size_t width_of_map(const report::Map& map) {
    return std::max(2 * map.columns.size() + kGap, map.title.size() + 1);
  }

  std::string text() && {
    line();
    for (const report::Map& map : maps_)
      text_ += fmt::format("{:<{}}", map.title, width_of_map(map));
    for (std::size_t row = 0; row < maps_[0].rows.size(); ++row) add_row(row);
    add_tokens();
    end_line();
    return text_ + "\n";
  }

 private:
  void end_line() { text_.erase(text_.find_last_not_of(' ') + 1); }
  void line(const std::string& name = "") {
    end_line();
    const std::vector<Letter> letters =
        name.empty() ? std::vector<Letter>{} : letters_of(name, margin_ - 1);
    text_ += '\n';
    text_.append(margin_ - 1 - std::min(margin_ - 1, width_of(letters)), ' ');
    for (const Letter& letter : letters) text_ += letter.text;
    text_ += ' ';
  }
  void pad(const report::Map& map) {
    text_.append(width_of_map(map) - 2 * map.columns.size(), ' ');
  }
  void add_row(std::size_t row) {
    line(maps_[0].rows[row]);
    for (const report::Map& map : maps_) {
      const std::size_t across = map.columns.size();
      for (std::size_t column = 0; column < across; ++column)
        text_ += block(map.values[row * across + column]);
      pad(map);
    }
  }
  /// Below the cells, downwards: words are longer than a cell is wide. Control tokens are told by
  /// their first letter.
  void add_tokens() {
    std::vector<std::vector<Letter>> tokens;
    std::size_t deepest = 1;
    for (const std::string& token : maps_[0].columns) {
      tokens.push_back(token == "BOS" || token == "EOS" || token == "CLS" || token == "PAD"
                           ? std::vector<Letter>{{token.substr(0, 1), 1}}
                           : letters_of(token, kLongest));
      deepest = std::max(deepest, tokens.back().size());
    }
    for (std::size_t i = 0; i < deepest; ++i) {
      line();
      for (const report::Map& map : maps_) {
        for (const std::vector<Letter>& token : tokens)
          text_ += i >= token.size() ? "  " : token[i].text + (token[i].columns == 2 ? "" : " ");
        pad(map);
      }
    }
  }

  std::span<const report::Map> maps_;
  std::size_t margin_;  // columns of the rows' names, with the space behind them
  std::string text_;
};

std::string module_text(const MemberRecord& member, const AttentionPicture& picture,
                        const AttentionGrid& grid, std::size_t most_columns) {
  std::vector<report::Map> maps;
  for (std::int64_t head = 0; head < grid.heads; ++head)
    maps.push_back(report::head_map(member, picture, grid, head));
  if (maps.empty()) return "";
  std::size_t margin = kShortest;
  for (const std::string& name : maps[0].rows)
    margin = std::max(margin, width_of(letters_of(name, kLongest)));
  std::string text;
  for (std::span<const report::Map> left(maps); !left.empty();) {
    std::size_t count = 0, width = margin + 1;
    while (count < left.size() && (count == 0 || most_columns == 0 ||
                                   width + Band::width_of_map(left[count]) <= most_columns))
      width += Band::width_of_map(left[count++]);
    text += Band(left.first(count), margin + 1).text();
    left = left.subspan(count);
  }
  return text;
}

}  // namespace

std::string maps_text(const MemberRecord& member, const AttentionPicture& picture,
                      std::size_t most_columns) {
  std::string text;
  for (const AttentionGrid& grid : picture.modules)
    text += module_text(member, picture, grid, most_columns);
  return text;
}

}  // namespace heddle::cli
