// See safetensors_header.hpp. The JSON is read as a stream of events: nothing is nested deeper than
// the format allows, and a name that comes twice is seen.
#include "heddle/tensor/safetensors_header.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <limits>
#include <tuple>
#include <unordered_set>
#include <utility>

#include <nlohmann/json.hpp>

#include "heddle/base/index.hpp"
#include "heddle/base/memory/offered.hpp"
#include "heddle/base/text.hpp"

namespace heddle::safetensors {
namespace {

using nlohmann::json;

/// Shapes whose bytes cannot be counted in 64 bits are nonsense even where an extent is 0.
constexpr std::uint64_t kMostNumbers = std::numeric_limits<Index>::max() / sizeof(double);

struct StoredKind {
  std::string_view name;
  std::uint64_t bytes;
};
/// In the order of the enum; ours come first.
constexpr std::array kKinds{StoredKind{"F32", 4},  StoredKind{"F64", 8}, StoredKind{"F16", 2},
                            StoredKind{"BF16", 2}, StoredKind{"I8", 1},  StoredKind{"I16", 2},
                            StoredKind{"I32", 4},  StoredKind{"I64", 8}, StoredKind{"U8", 1},
                            StoredKind{"U16", 2},  StoredKind{"U32", 4}, StoredKind{"U64", 8},
                            StoredKind{"BOOL", 1}};

std::span<const StoredKind> kinds(Accept accept) {
  return std::span(kKinds).first(accept == Accept::ours ? 2 : kKinds.size());
}

/// "F32 or F64", "F32, F64, F16 or BF16".
std::string names(Accept accept, std::string_view last) {
  std::string text;
  const auto known = kinds(accept);
  for (std::size_t i = 0; i < known.size(); ++i)
    text.append(i == 0 ? "" : i + 1 == known.size() ? last : ", ").append(known[i].name);
  return text;
}

template <class... Args>
[[noreturn]] void refuse(fmt::format_string<Args...> message, Args&&... args) {
  throw FileError(fmt::format(message, std::forward<Args>(args)...));
}

/// Builds a Header from the events of the JSON reader; its functions' names are that reader's.
class Builder {
 public:
  explicit Builder(Accept accept) : accept_(accept) {}

  Header take() { return std::move(header_); }

  bool start_object(std::size_t /*size*/) {
    if (place_ == Place::outside) {
      place_ = Place::top;
    } else if (place_ == Place::top) {
      place_ = key_ == kMetadata ? Place::metadata : Place::entry;
      seen_fields_.clear();
    } else {
      unexpected("an object");
    }
    return true;
  }

  bool end_object() {
    if (place_ == Place::entry) finish_entry();
    place_ = place_ == Place::top ? Place::outside : Place::top;
    return true;
  }

  bool key(std::string& key) {
    if (place_ == Place::top) {
      if (key.size() > kMostName)
        refuse("the tensor name {} has {} bytes; at most {} are accepted", quote(key), key.size(),
               kMostName);
      if (!seen_names_.insert(key).second) refuse("the name {} comes twice", quote(key));
      entry_ = {};
      entry_.name = key;
      key_ = key;
      return true;
    }
    if (place_ == Place::entry && key != "dtype" && key != "shape" && key != "data_offsets")
      refuse("tensor {} has a field {}; accepted are dtype, shape, data_offsets",
             quote(entry_.name), quote(key));
    if (!seen_fields_.insert(key).second)
      refuse("the field {} of {} comes twice", quote(key), quote(key_));
    field_ = key;
    return true;
  }

  bool start_array(std::size_t /*size*/) {
    if (place_ != Place::entry || field_ == "dtype") unexpected("a list");
    place_ = field_ == "shape" ? Place::shape : Place::offsets;
    offsets_ = 0;
    return true;
  }

  bool end_array() {
    if (place_ == Place::offsets && offsets_ != 2) wrong_offsets();
    place_ = Place::entry;
    return true;
  }

  bool string(std::string& text) {
    if (place_ == Place::metadata) {
      header_.metadata.emplace(field_, text);
    } else if (place_ == Place::entry && field_ == "dtype") {
      const auto known = kinds(accept_);
      const auto found = std::ranges::find(known, text, &StoredKind::name);
      if (found == known.end())
        refuse("tensor {} has the dtype {}; accepted are {}", quote(entry_.name), quote(text),
               names(accept_, " and "));
      entry_.stored = static_cast<Stored>(found - known.begin());
    } else {
      unexpected(quote(text));
    }
    return true;
  }

  bool number_unsigned(json::number_unsigned_t number) {
    if (place_ == Place::shape) {
      add_extent(number);
    } else if (place_ == Place::offsets) {
      if (offsets_ == 2) wrong_offsets();
      (offsets_++ == 0 ? entry_.begin : entry_.end) = number;
    } else {
      unexpected(fmt::format("{}", number));
    }
    return true;
  }

  // Whole numbers that fit 64 bits arrive above; the rest is never right.
  bool number_integer(json::number_integer_t number) { unexpected(fmt::format("{}", number)); }
  bool number_float(json::number_float_t /*number*/, const std::string& text) {
    unexpected(quote(text));
  }
  bool boolean(bool value) { unexpected(value ? "true" : "false"); }
  bool null() { unexpected("null"); }
  bool binary(json::binary_t& /*bytes*/) { unexpected("binary data"); }

  bool parse_error(std::size_t position, const std::string& /*token*/, const json::exception&) {
    refuse("its header is not JSON (byte {})", position);
  }

 private:
  enum class Place : std::uint8_t { outside, top, metadata, entry, shape, offsets };

  void add_extent(std::uint64_t extent) {
    if (entry_.shape.rank() == Shape::kMaxRank)
      refuse("tensor {} has more than {} axes", quote(entry_.name), Shape::kMaxRank);
    numbers_ = entry_.shape.rank() == 0 ? 1 : numbers_;
    if (extent > kMostNumbers / numbers_)
      refuse("the shape of tensor {} is too large at the extent {}", quote(entry_.name), extent);
    numbers_ *= std::max<std::uint64_t>(extent, 1);
    entry_.shape.push_back(static_cast<Index>(extent));
  }

  void finish_entry() {
    if (seen_fields_.size() != 3)
      refuse("tensor {} lacks one of dtype, shape, data_offsets", quote(entry_.name));
    entry_.place = header_.entries.size();
    header_.entries.push_back(std::move(entry_));
  }

  [[noreturn]] void wrong_offsets() const {
    refuse("tensor {} has other than two data_offsets; accepted is [begin, end]",
           quote(entry_.name));
  }

  [[noreturn]] void unexpected(std::string_view what) const {
    switch (place_) {
      case Place::outside:
        refuse("its header is {}; accepted is one object", what);
      case Place::top:
        refuse("{} is {}; accepted is an object", quote(key_), what);
      case Place::metadata:
        refuse("the metadata {} is {}; accepted is text", quote(field_), what);
      case Place::entry:
        refuse("the {} of tensor {} is {}; accepted is {}", field_, quote(key_), what,
               field_ == "dtype" ? names(accept_, " or ") : "a list of whole numbers");
      default:
        refuse("the {} of tensor {} holds {}; accepted are whole numbers from 0", field_,
               quote(key_), what);
    }
  }

  Accept accept_;
  Header header_;
  Entry entry_;
  Place place_ = Place::outside;
  std::string key_;            // of the header
  std::string field_;          // of the tensor or the metadata
  std::uint64_t numbers_ = 1;  // in the shape so far, zeros taken as ones
  int offsets_ = 0;
  std::unordered_set<std::string> seen_names_;
  std::unordered_set<std::string> seen_fields_;
};

/// Every tensor has the bytes its shape needs, and together they fill the data.
void check_layout(const std::vector<Entry>& entries, std::uint64_t data_bytes) {
  std::uint64_t at = 0;
  for (const Entry& entry : entries) {
    if (entry.begin > entry.end || entry.end > data_bytes)
      refuse("tensor {} has the data_offsets [{}, {}]; accepted are rising numbers up to {}",
             quote(entry.name), entry.begin, entry.end, data_bytes);
    const std::uint64_t needed =
        static_cast<std::uint64_t>(entry.shape.size()) * stored_bytes(entry.stored);
    if (entry.end - entry.begin != needed)
      refuse("tensor {} has {} bytes; its shape {} in {} needs {}", quote(entry.name),
             entry.end - entry.begin, entry.shape, stored_name(entry.stored), needed);
    if (entry.begin != at)
      refuse("tensor {} begins at byte {} of the data; accepted is {}, without gap or overlap",
             quote(entry.name), entry.begin, at);
    at = entry.end;
  }
  if (at != data_bytes) refuse("its tensors end at byte {} of {} data bytes", at, data_bytes);
}

}  // namespace

std::string_view stored_name(Stored stored) {
  return kKinds.at(to_size(stored)).name;
}

std::uint64_t stored_bytes(Stored stored) {
  return kKinds.at(to_size(stored)).bytes;
}

Header read_header(const std::string& path, FileReader& file, Accept accept) {
  check_memory<FileError>(static_cast<double>(file.size()), quote_path(path));
  try {
    check<FileError>(file.size() >= kLengthBytes, "it has {} bytes; at least {} are needed",
                     file.size(), kLengthBytes);
    std::uint64_t length = 0;
    file.read(std::as_writable_bytes(std::span(&length, 1)));
    const std::uint64_t rest = file.size() - kLengthBytes;
    check<FileError>(length <= rest, "its header claims {} bytes; {} follow", length, rest);
    check<FileError>(length <= kMostHeader, "its header claims {} bytes; at most {} are accepted",
                     length, kMostHeader);
    std::string text(length, ' ');
    file.read(std::as_writable_bytes(std::span(text)));
    return parse_header(text, rest - length, accept);
  } catch (const FileError& error) {
    throw FileError(
        fmt::format("{} is not a sound safetensors file: {}", quote_path(path), error.what()));
  }
}

Header parse_header(std::string_view text, std::uint64_t data_bytes, Accept accept) {
  // The JSON reader skips a byte-order mark and takes a zero byte for the end of the text.
  if (!text.starts_with('{')) refuse("its header does not begin with '{{'");
  if (const std::size_t zero = text.find('\0'); zero != std::string_view::npos)
    refuse("its header is not JSON (byte {})", zero + 1);
  Builder builder(accept);
  json::sax_parse(text.begin(), text.end(), &builder);
  Header header = builder.take();
  std::ranges::sort(header.entries, {}, [](const Entry& entry) {
    return std::tuple(entry.begin, entry.end, entry.place);
  });
  check_layout(header.entries, data_bytes);
  return header;
}

std::string header_text(const Header& header) {
  std::string text = fmt::format(R"({{"{}":{})", kMetadata, json(header.metadata).dump());
  for (const Entry& entry : header.entries)
    text += fmt::format(R"(,{}:{{"dtype":"{}","shape":{},"data_offsets":[{},{}]}})",
                        json(entry.name).dump(), stored_name(entry.stored), entry.shape,
                        entry.begin, entry.end);
  text += '}';
  text.append((kLengthBytes - text.size() % kLengthBytes) % kLengthBytes, ' ');
  return text;
}

}  // namespace heddle::safetensors
