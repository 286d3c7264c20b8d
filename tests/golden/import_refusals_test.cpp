// A map and a file that do not fit together, or a dump that fits neither: one exact line each. The
// golden models are right; each row breaks one thing.
#include <cmath>
#include <functional>

#include <gtest/gtest.h>

#include "heddle/base/index.hpp"
#include "heddle/base/text.hpp"
#include "tests/support/golden_import.hpp"
#include "tests/unit/base/temp_folder.hpp"

namespace heddle::testing {
namespace {

using safetensors::Stored;

/// The golden model with its file under a short name.
GoldenImport short_named(const std::string& name) {
  GoldenImport golden(name);
  golden.file.path = std::string("w");
  golden.dump.path = std::string("d");
  return golden;
}

/// The line that importing gives; "UsageError: " or "FileError: " says which kind.
std::string outcome(const GoldenImport& golden) {
  try {
    imported_logits(golden, DType::f32);
  } catch (const UsageError& error) {
    return fmt::format("UsageError: {}", error.what());
  } catch (const FileError& error) {
    return fmt::format("FileError: {}", error.what());
  }
  return "nothing";
}

using Break = std::function<void(GoldenImport&)>;
struct Row {
  std::string message;
  Break break_it;
};

void expect_all(const std::string& name, const std::vector<Row>& rows) {
  ASSERT_EQ(outcome(short_named(name)), "nothing");
  for (const Row& row : rows) {
    GoldenImport golden = short_named(name);
    row.break_it(golden);
    EXPECT_EQ(outcome(golden), row.message);
    EXPECT_EQ(row.message.find('\n'), std::string::npos);
  }
}

ForeignTensor& tensor(ForeignFile& file, const std::string& name) {
  const auto found = std::ranges::find(file.tensors, name, &ForeignTensor::name);
  check(found != file.tensors.end(), "no tensor '{}'", name);
  return *found;
}

void rename(GoldenImport& golden, const std::string& from, const std::string& to) {
  tensor(golden.file, from).name = to;
}

/// As many bytes as the shape needs, all zeros.
void reshape(ForeignTensor& tensor, const Shape& shape) {
  tensor.shape = shape;
  tensor.bytes.assign(to_size(shape.size()) * safetensors::stored_bytes(tensor.stored),
                      std::byte{});
}

/// Its first number, a float, is none.
void put_nan(ForeignTensor& tensor) {
  std::fill_n(tensor.bytes.begin(), 3, std::byte{0xff});
  tensor.bytes[3] = std::byte{0x7f};
}

void add_rule(GoldenImport& golden, const std::string& ours, const TensorSource& source) {
  golden.map.tensors.push_back({.ours = ours, .choices = {source}});
}

void drop_rule(GoldenImport& golden, const std::string& ours) {
  std::erase_if(golden.map.tensors, [&](const TensorRule& rule) { return rule.ours == ours; });
}

TensorSource& rule(GoldenImport& golden, const std::string& ours) {
  const auto found = std::ranges::find(golden.map.tensors, ours, &TensorRule::ours);
  check(found != golden.map.tensors.end(), "no rule '{}'", ours);
  return found->choices.front();
}

TEST(ImportRefusals, NamesThatDoNotFit) {
  expect_all(
      "adder",
      {{"UsageError: tensors: 'encoder.{i}.slef.w_q' is no weight of this model (did you mean "
        "'encoder.0.self.w_q'?)",
        [](auto& g) { add_rule(g, "encoder.{i}.slef.w_q", {.fill = 0}); }},
       {"UsageError: tensors: 'unembed.ww' is no weight of this model (did you mean 'unembed.w'?)",
        [](auto& g) { add_rule(g, "unembed.ww", {.fill = 0}); }},
       {"UsageError: tensors: 'unembed.w' takes 'generator.{i}', and only a name with {i} takes "
        "one "
        "with {i}",
        [](auto& g) { rule(g, "unembed.w").from = "generator.{i}"; }},
       {"UsageError: encoder.0.self.w_q is filled twice: by 'encoder.{i}.self.w_q' and by "
        "'encoder.0.self.w_q'",
        [](auto& g) {
          add_rule(g, "encoder.{i}.self.w_q", {.fill = 0});
          add_rule(g, "encoder.0.self.w_q", {.fill = 0});
        }},
       {"UsageError: nothing fills unembed.b: the map names no tensor for it",
        [](auto& g) { drop_rule(g, "unembed.b"); }},
       {"FileError: 'w' has no tensor 'generator.weigth', which unembed.w needs (did you mean "
        "'generator.weight'?)",
        [](auto& g) { rule(g, "unembed.w").from = "generator.weigth"; }},
       {"FileError: 'w' has no tensor 'transformer.encoder.layers.0.self_attn.in_proj_weight' or "
        "'transformer.encoder.layers.0.self_attn.q_proj_weight', which encoder.0.self.w_q needs "
        "(did you mean 'transformer.decoder.layers.0.self_attn.in_proj_weight'?)",
        [](auto& g) {
          rename(g, "transformer.encoder.layers.0.self_attn.in_proj_weight", "gone");
        }},
       {"FileError: 'w' holds 'extra', which nothing uses: map it or name it under \"ignore\"",
        [](auto& g) { g.file.tensors.push_back({.name = "extra"}); }},
       {"FileError: 'w' holds 'extra' (and 1 more tensors), which nothing uses: map it or name it "
        "under \"ignore\"",
        [](auto& g) {
          g.file.tensors.push_back({.name = "extra"});
          g.file.tensors.push_back({.name = "more"});
        }},
       {"FileError: 'w' holds 'transformer.encoder.norm.weight' (and 3 more tensors), which "
        "belongs "
        "to encoder.norm.gain, and the map's settings describe a model without it or another "
        "tensor "
        "fills it",
        [](auto& g) { g.map.config.model.final_norm = FinalNormKind::by_norm; }},
       {"FileError: 'w' has no tensor 'extr*', which the map's \"ignore\" names",
        [](auto& g) { g.map.ignore = {"extr*"}; }},
       {"UsageError: ignore: 'generator.weight' is used, by the map itself",
        [](auto& g) { g.map.ignore = {"generator.*"}; }},
       {"UsageError: head: this model has no classifier's head, it is for sequences of tokens",
        [](auto& g) { g.map.head = {"generator"}; }}});
}

TEST(ImportRefusals, LayoutsThatAreNotThere) {
  expect_all(
      "adder",
      {{"UsageError: there is no layout 'torch.nn.Transfomer': accepted is torch.nn.Transformer or "
        "torch.nn.TransformerEncoder (did you mean 'torch.nn.Transformer'?)",
        [](auto& g) { g.map.layout = "torch.nn.Transfomer"; }},
       {"UsageError: the map has a prefix but no layout that begins there",
        [](auto& g) {
          g.map.layout.clear();
          g.map.prefix = "transformer";
        }},
       {"FileError: 'w' holds no torch.nn.Transformer: none of its tensors is called "
        "'…encoder.layers.0.norm1.weight'",
        [](auto& g) { rename(g, "transformer.encoder.layers.0.norm1.weight", "gone"); }},
       {"FileError: 'w' holds several torch.nn.Transformer: the map's \"prefix\" may be "
        "'transformer.' or 'second.'",
        [](auto& g) {
          g.file.tensors.push_back({.name = "second.encoder.layers.0.norm1.weight"});
        }},
       {"FileError: 'w' has no tensor 'net.encoder.layers.0.norm1.weight', which "
        "encoder.0.norm_self.gain needs (did you mean "
        "'transformer.encoder.layers.0.norm1.weight'?)",
        [](auto& g) { g.map.prefix = "net."; }}});
}

TEST(ImportRefusals, ShapesTypesAndNumbersThatDoNotFit) {
  const std::string layer = "transformer.encoder.layers.0.";
  expect_all(
      "adder",
      {{"FileError: 'w': 'transformer.encoder.layers.0.linear1.weight' has shape [16, 64]; "
        "encoder.0.mlp.w_in needs [64, 16]",
        [&](auto& g) { tensor(g.file, layer + "linear1.weight").shape = {16, 64}; }},
       {"FileError: 'w': 'generator.weight' has shape [14, 16]; unembed.w needs [16, 14]",
        [](auto& g) { rule(g, "unembed.w").transpose = false; }},
       {"FileError: 'w': 'transformer.encoder.layers.0.self_attn.in_proj_bias' has shape [30]; "
        "encoder.0.self.b_q needs [48]",
        [&](auto& g) { reshape(tensor(g.file, layer + "self_attn.in_proj_bias"), {30}); }},
       {"FileError: 'w': 'transformer.encoder.layers.0.self_attn.in_proj_weight' has 47 rows, "
        "which "
        "are not three equal parts: q, k and v",
        [&](auto& g) { reshape(tensor(g.file, layer + "self_attn.in_proj_weight"), {47, 16}); }},
       {"FileError: 'w': 'source.weight' has 14 rows; the map takes 3 to 14 for "
        "encoder.embed.token",
        [](auto& g) { rule(g, "encoder.embed.token").rows = {RowPart::Kind::range, 3, 14}; }},
       {"FileError: 'w': 'generator.bias' has shape [2, 7]; unembed.b needs [14]",
        [](auto& g) { tensor(g.file, "generator.bias").shape = {2, 7}; }},
       {"FileError: 'w': 'generator.bias' is of type I32; accepted for weights are F32, F64, F16 "
        "and "
        "BF16",
        [](auto& g) { tensor(g.file, "generator.bias").stored = Stored::i32; }},
       {"FileError: 'w': number 11 of unembed.b would be nan; accepted is what a float holds",
        [](auto& g) { put_nan(tensor(g.file, "generator.bias")); }},
       {"FileError: 'w': number 0 of encoder.embed.token would be -inf; accepted is what a float "
        "holds",
        [](auto& g) { rule(g, "encoder.embed.token").scale = HUGE_VAL; }}});
}

TEST(ImportRefusals, TokensThatDoNotFit) {
  expect_all(
      "adder",
      {{"UsageError: tokens has 13 numbers; accepted is one for each of our 14 tokens (that of "
        "'EOS' is missing)",
        [](auto& g) {
          g.map.source_tokens.pop_back();
          g.map.target_tokens.pop_back();
        }},
       {"UsageError: tokens, target, has 15 numbers; accepted is one for each of our 14 tokens",
        [](auto& g) { g.map.target_tokens.emplace_back(3); }},
       {"FileError: 'w': 'source.weight' has 14 tokens or classes; the map has the number 14 for "
        "one "
        "of ours",
        [](auto& g) { g.map.source_tokens[3] = 14; }},
       {"UsageError: classes has 2 numbers; accepted is one for each of our 0 classes",
        [](auto& g) { g.map.classes = {0, 1}; }}});
  expect_all("before", {{"FileError: 'w': 'read.weight' has shape [12, 12]; encoder.embed.token "
                         "needs [14, 12]",
                         [](auto& g) { g.map.source_tokens.clear(); }}});
  expect_all("sorter", {{"UsageError: tokens has 100 numbers; accepted is one for each of our 103 "
                         "tokens (that of 'PAD' is missing)",
                         [](auto& g) {
                           g.map.source_tokens.resize(100);
                           g.map.target_tokens.resize(100);
                         }}});
}

TEST(ImportRefusals, PlacesThatDoNotFit) {
  expect_all("adder",
             {{"FileError: 'w': 'pe' is 0 at place 0, number 1, and our sinusoids are 1; with "
               "model.position=learned it can be a table like any other",
               [](auto& g) { reshape(tensor(g.file, "pe"), {1, 16, 16}); }},
              {"FileError: 'w': 'pe' has shape [16, 1, 8]; sinusoids need [places, 16]",
               [](auto& g) { reshape(tensor(g.file, "pe"), {16, 1, 8}); }},
              {"FileError: 'w' has no tensor 'pee', which the map's \"sinusoids\" needs (did you "
               "mean 'pe'?)",
               [](auto& g) { g.map.sinusoids = {"pee"}; }},
              {"UsageError: sinusoids: 'pe' is for model.position=sinusoidal, and it is none",
               [](auto& g) { g.map.config.model.position = PositionKind::none; }}});
  expect_all("before", {{"FileError: 'w': 'places' has shape [1, 8, 12]; encoder.embed.position "
                         "needs [5, 12] (\"rows\": [0, 4] takes the first of them)",
                         [](auto& g) { rule(g, "encoder.embed.position").rows = {}; }}});
}

TEST(ImportRefusals, HeadsThatDoNotFit) {
  expect_all(
      "sorter",
      {{"FileError: 'w' has no tensor 'cf.weight', which the map's \"head\" needs (did you mean "
        "'fc.weight'?)",
        [](auto& g) { g.map.head = {"cf"}; }},
       {"UsageError: head.b_out is filled twice: by \"head\" and by 'head.b_out'",
        [](auto& g) { add_rule(g, "head.b_out", {.fill = 0}); }},
       {"FileError: 'w': 'fc.weight' has shape [2, 9]; the head needs [any, 8]",
        [](auto& g) { reshape(tensor(g.file, "fc.weight"), {2, 9}); }},
       {"FileError: 'w': 'fc.bias' has shape [3]; the head needs [2]",
        [](auto& g) { reshape(tensor(g.file, "fc.bias"), {3}); }},
       {"FileError: 'w': 'fc.weight' has shape [2, 8]; with the map's classes the head needs 3 "
        "rows",
        [](auto& g) { g.map.classes = {2, 0}; }},
       {"UsageError: classes has 3 numbers; accepted is one for each of our 2 classes",
        [](auto& g) { g.map.classes.emplace_back(0); }}});
  expect_all(
      "sorter_single",
      {{"FileError: 'w': 'mlp.0.weight' has shape [65, 8]; the head has room for 64 hidden numbers",
        [](auto& g) {
          reshape(tensor(g.file, "mlp.0.weight"), {65, 8});
          reshape(tensor(g.file, "mlp.0.bias"), {65});
        }},
       {"FileError: 'w': 'mlp.2.weight' has shape [1, 11]; the head needs [any, 10]",
        [](auto& g) { reshape(tensor(g.file, "mlp.2.weight"), {1, 11}); }}});
}

TEST(ImportRefusals, DumpsThatDoNotFit) {
  const auto drop = [](const std::string& name) {
    return [name](GoldenImport& g) {
      std::erase_if(g.dump.tensors, [&](const ForeignTensor& t) { return t.name == name; });
    };
  };
  expect_all("adder",
             {{"FileError: 'd' has no tensor 'source'", drop("source")},
              {"FileError: 'd' has no tensor 'target'", drop("target")},
              {"FileError: 'd' has no tensor 'logits'", drop("logits")},
              {"FileError: 'd' holds 'extra'; accepted for addition are source, logits, target",
               [](auto& g) { g.dump.tensors.push_back({.name = "extra"}); }},
              {"FileError: 'd': 'source' has shape [5]; accepted are 2 axes that are not empty",
               [](auto& g) { reshape(tensor(g.dump, "source"), {5}); }},
              {"FileError: 'd': 'source' is of type F64; accepted are whole numbers",
               [](auto& g) { tensor(g.dump, "source").stored = Stored::f64; }},
              {"FileError: 'd': 'source' holds 257 at [0, 0], which stands for none of our "
               "tokens",
               [](auto& g) {
                 auto& bytes = tensor(g.dump, "source").bytes;
                 bytes[0] = bytes[1] = std::byte{1};
               }},
              {"FileError: 'd': 'target' holds 2 at [0, 1], which stands for none of our tokens",
               [](auto& g) {
                 tensor(g.dump, "target").bytes[8] = std::byte{2};
                 g.map.target_tokens[13].reset();
               }},
              {"FileError: 'd': 'target' has shape [3, 4], and 'source' has 96 rows",
               [](auto& g) { reshape(tensor(g.dump, "target"), {3, 4}); }},
              {"FileError: 'd': 'logits' has shape [96, 3, 14], and 'target' has 4 columns",
               [](auto& g) { reshape(tensor(g.dump, "logits"), {96, 3, 14}); }},
              {"FileError: 'd': 'logits' is of type I32; accepted are F32, F64, F16 and BF16",
               [](auto& g) { tensor(g.dump, "logits").stored = Stored::i32; }},
              {"FileError: 'd': 'logits' has 13 columns; the map needs at least 14",
               [](auto& g) { reshape(tensor(g.dump, "logits"), {96, 4, 13}); }},
              {"FileError: 'd': 'logits' holds nan; accepted are finite numbers",
               [](auto& g) { put_nan(tensor(g.dump, "logits")); }}});
  expect_all("sorter",
             {{"FileError: 'd' holds 'target'; accepted for sortedness are source, logits",
               [](auto& g) { g.dump.tensors.push_back({.name = "target"}); }}});
}

/// Nothing is written where something is wrong: weights keep what they had.
TEST(ImportRefusals, LeaveTheWeightsAlone) {
  GoldenImport golden("adder");
  const Member member = make_member(golden.map.config);
  const std::vector<float> before(member.weights.flat().flat<float>().begin(),
                                  member.weights.flat().flat<float>().end());
  reshape(tensor(golden.file, "pe"), {1, 16, 16});
  EXPECT_THROW(import_weights(golden.map, golden.file, member.weights), FileError);
  EXPECT_TRUE(std::ranges::equal(before, member.weights.flat().flat<float>()));
}

}  // namespace
}  // namespace heddle::testing
