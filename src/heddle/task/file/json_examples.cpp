// See json_examples.hpp. A line is read as a stream of events, so that no nesting is deep and a key
// that comes twice is seen.
#include "heddle/task/file/json_examples.hpp"

#include <array>
#include <charconv>
#include <utility>

#include <nlohmann/json.hpp>

#include "heddle/task/file/example_limits.hpp"

namespace heddle {
namespace {

using nlohmann::json;

constexpr int kNumberOutOfRange = 406;  // the JSON reader's name for 1e999

/// What is wrong with a line, without its place.
struct Refusal {
  std::string why;
};

template <class... Args>
[[noreturn]] void refuse(fmt::format_string<Args...> message, Args&&... args) {
  throw Refusal{fmt::format(message, std::forward<Args>(args)...)};
}

/// Fills the parts from the events of the JSON reader; its functions' names are that reader's.
class LineObject {
 public:
  LineObject(JsonParts& parts, std::string_view line) : parts_(parts), line_(line) {
    for (JsonParts::Sequence* part : {&parts_.input, &parts_.output}) {
      part->there = part->listed = false;
      part->text.clear();
      part->ends.clear();
    }
    for (JsonParts::Word* part : {&parts_.label, &parts_.split}) part->there = false;
  }

  bool start_object(std::size_t /*size*/) {
    if (inside_) wrong("an object");
    inside_ = true;
    return true;
  }
  bool end_object() { return true; }

  bool key(std::string& key) {
    sequence_ = key == "input" ? &parts_.input : key == "output" ? &parts_.output : nullptr;
    word_ = key == "label" ? &parts_.label : key == "split" ? &parts_.split : nullptr;
    if (sequence_ == nullptr && word_ == nullptr)
      refuse("unknown key {}; accepted are {}", quote(key, kShown), kPartNames);
    bool& there = sequence_ != nullptr ? sequence_->there : word_->there;
    if (there) refuse("the key '{}' comes twice", key);
    there = true;
    return true;
  }

  bool start_array(std::size_t /*size*/) {
    if (sequence_ == nullptr || sequence_->listed) wrong("a list");
    sequence_->listed = in_list_ = true;
    return true;
  }
  bool end_array() {
    in_list_ = false;
    return true;
  }

  bool string(std::string& text) {
    if (word_ != nullptr) {
      word_->text.swap(text);
      return true;
    }
    if (sequence_ == nullptr) wrong(quote(text, kShown));
    return take(text);
  }
  bool number_integer(json::number_integer_t number) { return take_number(number); }
  bool number_unsigned(json::number_unsigned_t number) { return take_number(number); }
  bool boolean(bool value) {
    if (word_ != &parts_.label) wrong(value ? "true" : "false");
    word_->text = value ? "true" : "false";
    return true;
  }
  bool number_float(json::number_float_t /*number*/, const std::string& text) {
    wrong(quote(text, kShown));
  }
  bool null() { wrong("null"); }
  bool binary(json::binary_t& /*bytes*/) { wrong("binary data"); }

  bool parse_error(std::size_t position, const std::string& token, const json::exception& error) {
    if (error.id == kNumberOutOfRange) wrong(quote(token, kShown));
    if (position > line_.size()) refuse("not JSON: the line ends too early");
    const std::size_t at = position > 0 ? position - 1 : 0;
    refuse("not JSON at byte {}: {}", at + 1, quote(line_.substr(at), kShown));
  }

 private:
  bool take_number(auto number) {
    std::array<char, 24> letters{};
    const auto end = std::to_chars(letters.data(), letters.data() + letters.size(), number);
    const std::string_view digits(letters.data(), end.ptr);
    if (word_ == &parts_.label) {
      word_->text = digits;
      return true;
    }
    if (!in_list_) wrong(digits);
    return take(digits);
  }

  /// A text, or one token of a list.
  bool take(std::string_view text) {
    sequence_->text += text;
    if (in_list_) sequence_->ends.push_back(sequence_->text.size());
    return true;
  }

  [[noreturn]] void wrong(std::string_view found) const {
    if (!inside_)
      refuse(
          "found {} where an object is expected, such as {{\"input\": \"1 2\", \"output\": "
          "\"2 1\"}}",
          found);
    if (word_ == &parts_.split)
      refuse("'split' is {}; accepted are train, validation, test", found);
    if (word_ != nullptr)
      refuse("'label' is {}; accepted is a text, a whole number, true or false", found);
    const std::string_view name = sequence_ == &parts_.input ? "input" : "output";
    if (in_list_)
      refuse("{} in the list of '{}'; accepted are texts and whole numbers", found, name);
    refuse("'{}' is {}; accepted is a text or a list of texts and whole numbers", name, found);
  }

  JsonParts& parts_;
  std::string_view line_;
  bool inside_ = false;
  bool in_list_ = false;
  JsonParts::Sequence* sequence_ = nullptr;  // what the current key names
  JsonParts::Word* word_ = nullptr;
};

RecordSequence view_of(const JsonParts::Sequence& part) {
  return {.listed = part.listed, .text = part.text, .ends = part.ends};
}

}  // namespace

JsonExamples::JsonExamples(LineReader lines) : lines_(std::move(lines)) {}

void JsonExamples::check_keys(ExampleForm form) {
  if (!parts_.input.there) refuse("no 'input'");
  if (!parts_.output.there && !parts_.label.there) refuse("no 'output' and no 'label'");
  if (parts_.output.there && parts_.label.there)
    refuse("both 'output' and 'label'; an example has one of them");
  if (!begun_) {
    begun_ = true;
    first_line_ = lines_.number();
    form_ = form;
    has_split_ = parts_.split.there;
  }
  const bool pairs = form_ == ExampleForm::pairs;
  if (form != form_)
    refuse("'{}' where line {} has '{}'; all examples have the same", pairs ? "label" : "output",
           first_line_, pairs ? "output" : "label");
  if (parts_.split.there != has_split_)
    refuse("{} 'split' where line {} has {}; all examples have it, or none",
           has_split_ ? "no" : "a", first_line_, has_split_ ? "one" : "none");
}

bool JsonExamples::next(ExampleRecord& record) {
  std::string_view line;
  if (!lines_.next_filled(line)) return false;
  LineObject object(parts_, line);
  try {
    json::sax_parse(line.begin(), line.end(), &object);
    check_keys(parts_.output.there ? ExampleForm::pairs : ExampleForm::labels);
  } catch (const Refusal& refusal) {
    refuse_line(lines_.path(), lines_.number(), "{}", refusal.why);
  }
  record.line = lines_.number();
  record.form = form_;
  record.has_split = has_split_;
  record.input = view_of(parts_.input);
  record.output = view_of(parts_.output);
  record.label = parts_.label.text;
  record.split = parts_.split.text;
  return true;
}

}  // namespace heddle
