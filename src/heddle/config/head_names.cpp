// See head_names.hpp.
#include "heddle/config/head_names.hpp"

#include <algorithm>

#include "heddle/base/index.hpp"
#include "heddle/base/text.hpp"

namespace heddle {

std::vector<HeadName> parse_heads(std::string_view list) {
  std::vector<HeadName> heads;
  if (list.empty()) return heads;
  for (const std::string& text : split(list, ',')) {
    const auto head = parse_head_name(text);
    check<UsageError>(head && head->is_head(),
                      "model.cut_heads={}: {} is no head; accepted is names such as "
                      "encoder.0.self.head.1 with commas between them",
                      quote(list), quote(text));
    heads.push_back(*head);
  }
  std::ranges::sort(heads);
  const auto twice = std::ranges::adjacent_find(heads);
  check<UsageError>(twice == heads.end(),
                    "model.cut_heads={}: {} stands there twice; accepted is each head once",
                    quote(list), twice == heads.end() ? "" : twice->text());
  return heads;
}

std::string heads_text(const std::vector<HeadName>& heads) {
  std::vector<std::string> names;
  names.reserve(heads.size());
  for (const HeadName& head : heads) names.push_back(head.text());
  return join(names, ",");
}

std::string sorted_heads(std::string_view list) {
  return heads_text(parse_heads(list));
}

void check_heads(const ModelConfig& model, bool classifier) {
  const std::int64_t encoder_layers = classifier ? model.layers : model.encoder_layers;
  for (const HeadName& head : parse_heads(model.cut_heads)) {
    check<UsageError>(!classifier || !head.decoder,
                      "model.cut_heads: there is no {}; a classifier has no decoder", head.text());
    const std::int64_t layers = head.decoder ? model.decoder_layers : encoder_layers;
    check<UsageError>(head.layer >= 0 && head.layer < layers,
                      "model.cut_heads: there is no {}; accepted is {} layers 0 to {}", head.text(),
                      head.stack(), layers - 1);
    check<UsageError>(head.number >= 0 && head.number < model.heads,
                      "model.cut_heads: there is no {}; accepted is heads 0 to {}", head.text(),
                      model.heads - 1);
  }
}

std::vector<std::int64_t> heads_left(const ModelConfig& model, std::string_view module) {
  std::vector<bool> gone(to_size(model.heads), false);
  for (const HeadName& head : parse_heads(model.cut_heads))
    if (head.module() == module) gone[to_size(head.number)] = true;
  std::vector<std::int64_t> left;
  for (std::int64_t i = 0; i < model.heads; ++i)
    if (!gone[to_size(i)]) left.push_back(i);
  return left;
}

std::string whole_name(const ModelConfig& model, std::string_view module, std::int64_t index) {
  return fmt::format("{}.head.{}", module, heads_left(model, module).at(to_size(index)));
}

}  // namespace heddle
