// See attention.hpp.
#include "heddle/report/parts/attention.hpp"

#include <algorithm>

#include "heddle/report/web/widget.hpp"

namespace heddle::report {
namespace {

/// The first picture of one question; null where there are averages alone.
const AttentionPicture* first_example(const MemberRecord& member) {
  const auto found = std::ranges::find_if(member.pictures, [](const AttentionPicture& picture) {
    return picture.problems == 1 && !picture.modules.empty();
  });
  return found == member.pictures.end() ? nullptr : &*found;
}

Text example_caption(const Source& source, const AttentionPicture& example) {
  if (example.expected.empty())
    return say("Every head on {}; it says {}, the right answer is not known.",
               source.text(example.name), source.text(example.output));
  return say("Every head on {}; it says {}, right is {}.", source.text(example.name),
             source.text(example.output), source.text(example.expected));
}

}  // namespace

void add_attention(Section& section, const Source& source, const MemberRecord& member,
                   const std::string& figure) {
  if (member.pictures.empty()) return;
  add(section,
      "Question: where does each head look? A dark cell is a description, not a cause: beside each "
      "map stands what is lost when that head gives its mean output, where that was measured.");
  add_widget(section, attention_widget(source, member));
  if (const AttentionPicture* example = first_example(member))
    add_figure(section, figure, "Attention maps of all heads on one question",
               example_caption(source, *example), attention_model(member, *example, &source));
}

}  // namespace heddle::report
