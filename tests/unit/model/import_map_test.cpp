// A map file: what it may say, and one line for everything it may not.
#include <cmath>

#include <gtest/gtest.h>

#include "heddle/base/check.hpp"
#include "heddle/model/import/map.hpp"
#include "tests/cli/program.hpp"
#include "tests/unit/base/temp_folder.hpp"

namespace heddle {
namespace {

std::string refusal(const std::string& text) {
  return message_of<UsageError>([&] { parse_import_map(text); });
}

/// A map of addition with more fields.
std::string with(const std::string& fields) {
  return R"({"task": "addition", )" + fields + "}";
}

TEST(ImportMap, SaysWhatItSays) {
  const ImportMap map = parse_import_map(R"x({
    "task": "addition",
    "settings": {"d_model": 18, "model.heads": 3, "norm": "post", "final_norm": true, "seed": 7},
    "layout": "torch.nn.Transformer", "prefix": "",
    "tensors": {
      "encoder.{i}.self.w_q": {"from": "a.{i}", "rows": "q", "transpose": false},
      "encoder.{i}.self.w_k": {"from": "a.{i}", "rows": "k", "scale": 2},
      "encoder.{i}.self.w_v": {"from": "a.{i}", "rows": [6, 8], "scale": "sqrt(d_model)"},
      "unembed.w": "out", "unembed.b": "zeros", "encoder.norm.gain": "ones"},
    "tokens": [3, null, 0], "classes": [1, null], "head": ["a", "b"],
    "sinusoids": "pe", "ignore": ["x.*", "y"]})x");
  EXPECT_EQ(map.config.model.d_model, 18);
  EXPECT_EQ(map.config.model.heads, 3);
  EXPECT_EQ(map.config.model.norm, NormKind::post);
  EXPECT_EQ(map.config.model.final_norm, FinalNormKind::yes);
  EXPECT_EQ(map.config.seed, 7U);
  EXPECT_EQ(map.layout, "torch.nn.Transformer");
  EXPECT_EQ(map.prefix, std::optional<std::string>(""));
  const TheirIds tokens{3, std::nullopt, 0}, classes{1, std::nullopt};
  EXPECT_EQ(map.source_tokens, tokens);
  EXPECT_EQ(map.target_tokens, tokens);
  EXPECT_EQ(map.classes, classes);
  EXPECT_EQ(map.head, (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(map.sinusoids, std::vector<std::string>{"pe"});
  EXPECT_EQ(map.ignore, (std::vector<std::string>{"x.*", "y"}));
}

TEST(ImportMap, ReadsEveryFormOfATensor) {
  const auto source = [](const std::string& value) {
    return parse_import_map(with(R"("tensors": {"w": )" + value + "}")).tensors.at(0).choices.at(0);
  };
  EXPECT_EQ(source(R"("theirs")").from, "theirs");
  EXPECT_FALSE(source(R"("theirs")").transpose.has_value());
  EXPECT_EQ(source(R"("zeros")").from, "");
  EXPECT_EQ(source(R"("zeros")").fill, 0);
  EXPECT_EQ(source(R"("ones")").fill, 1);
  EXPECT_EQ(source(R"({"from": "zeros"})").from, "zeros");
  EXPECT_EQ(source(R"({"from": "a", "transpose": true})").transpose, std::optional(true));
  EXPECT_EQ(source(R"({"from": "a", "scale": -0.5})").scale, -0.5);
  EXPECT_EQ(source(R"x({"from": "a", "scale": "sqrt(d_model)"})x").scale, std::sqrt(128.0));
  const RowPart third = source(R"({"from": "a", "rows": "v"})").rows;
  EXPECT_EQ(third.kind, RowPart::Kind::third);
  EXPECT_EQ(third.first, 2);
  const RowPart range = source(R"({"from": "a", "rows": [4, 4]})").rows;
  EXPECT_EQ(range.kind, RowPart::Kind::range);
  EXPECT_EQ(range.first, 4);
  EXPECT_EQ(range.last, 4);
}

TEST(ImportMap, BothSidesMayHaveTokensOfTheirOwn) {
  const ImportMap map = parse_import_map(with(R"("tokens": {"target": [1, 0]})"));
  EXPECT_TRUE(map.source_tokens.empty());
  EXPECT_EQ(map.target_tokens, (TheirIds{1, 0}));
}

struct Wrong {
  std::string text, message;
};

TEST(ImportMap, WhatIsWrongIsSaidInOneLine) {
  const std::string list =
      "a list with their number for each of ours, null for one that they do not have";
  const std::vector<Wrong> all{
      {R"({"task": )", "it is not JSON: wrong at byte 10"},
      {"", "it is not JSON: wrong at byte 1"},
      {"[1]", "the map is '[1]'; accepted is an object"},
      {R"({"task": "addition", "task": "sortedness"})", "'task' stands there twice"},
      {with(R"("settings": {"heads": 2, "heads": 4})"), "'heads' stands there twice"},
      {"{}", R"(it names no task: accepted is "task": "addition")"},
      {R"({"task": 7})", "task is '7'; accepted is the name of a task"},
      {R"({"task": "additoin"})",
       "task='additoin': accepted is addition or sortedness or reverse or sort or modular or file "
       "(did you mean 'addition'?)"},
      {with(R"("tensor": {})"),
       "the map has a field 'tensor'; accepted are task, settings, layout, prefix, tensors, "
       "tokens, "
       "classes, head, sinusoids, ignore (did you mean 'tensors'?)"},
      {with(R"("settings": [])"), "settings is '[]'; accepted is an object"},
      {with(R"("settings": {"d_modl": 4})"), "unknown setting 'd_modl' (did you mean 'd_model'?)"},
      {with(R"("settings": {"pooling": "mean"})"),
       "model.pooling is a setting of sortedness and modular and file, and the task is addition"},
      {with(R"("settings": {"d_model": 10, "heads": 4})"),
       "model.d_model=10 is not divisible by model.heads=4"},
      {with(R"("settings": {"d_model": [4]})"),
       "settings: 'd_model' is '[4]'; accepted is a number, a text, true or false"},
      {with(R"("settings": {"task.name": "sortedness"})"),
       "settings: task.name=sortedness, and the task is addition"},
      {with(R"("layout": 3)"), "layout is '3'; accepted is the name of a shipped layout"},
      {with(R"("prefix": null)"), "prefix is 'null'; accepted is text"},
      {with(R"("tensors": [])"), "tensors is '[]'; accepted is an object"},
      {with(R"("tensors": {"w": 7})"),
       "tensors: 'w' is '7'; accepted is {\"from\": \"their tensor\", …}, their tensor, \"zeros\" "
       "or "
       "\"ones\""},
      {with(R"("tensors": {"w": {"form": "a"}})"),
       "tensors: 'w' has a field 'form'; accepted are from, rows, transpose, scale (did you mean "
       "'from'?)"},
      {with(R"("tensors": {"w": {"rows": "q"}})"), "tensors: 'w' names no tensor under \"from\""},
      {with(R"("tensors": {"w": {"from": ""}})"),
       "tensors: 'w', from is ''; accepted is the name of a tensor"},
      {with(R"("tensors": {"w": {"from": "a", "rows": "qk"}})"),
       "tensors: 'w', rows is 'qk'; accepted is \"q\", \"k\", \"v\" or [first, last], counted from "
       "0"},
      {with(R"("tensors": {"w": {"from": "a", "rows": [3, 1]}})"),
       "tensors: 'w', rows is '[3,1]'; accepted is \"q\", \"k\", \"v\" or [first, last], counted "
       "from 0"},
      {with(R"("tensors": {"w": {"from": "a", "scale": "big"}})"),
       "tensors: 'w', scale is 'big'; accepted is a number or \"sqrt(d_model)\""},
      {with(R"("tensors": {"w": {"from": "a", "transpose": "yes"}})"),
       "tensors: 'w', transpose is 'yes'; accepted is true or false"},
      {with(R"("tokens": "all")"), "tokens is 'all'; accepted is " + list},
      {with(R"("tokens": [])"), "tokens is '[]'; accepted is " + list},
      {with(R"("tokens": [1, -1])"), "tokens is '-1'; accepted is " + list},
      {with(R"("tokens": {"source": [0.5]})"), "tokens, source is '0.5'; accepted is " + list},
      {with(R"("tokens": {"sauce": [1]})"),
       "tokens has a field 'sauce'; accepted are source, target (did you mean 'source'?)"},
      {with(R"("classes": {})"), "classes is '{}'; accepted is " + list},
      {with(R"("head": ["a", "b", "c"])"),
       "head names 3 modules; accepted is one Linear, or two with a ReLU between"},
      {with(R"("head": [])"),
       "head names 0 modules; accepted is one Linear, or two with a ReLU between"},
      {with(R"("ignore": [7])"),
       "ignore is '7'; accepted is the name of a tensor or a list of names"},
  };
  for (const Wrong& wrong : all) EXPECT_EQ(refusal(wrong.text), wrong.message) << wrong.text;
}

TEST(ImportMap, AFileIsNamed) {
  const TempFolder folder;
  put_file(folder / "map.json", "{}");
  EXPECT_EQ(
      message_of<UsageError>([&] { load_import_map(folder / "map.json"); }),
      "'" + folder.path() + R"(/map.json': it names no task: accepted is "task": "addition")");
  EXPECT_NE(message_of<FileError>([&] { load_import_map(folder / "none.json"); }).find("none.json"),
            std::string::npos);
}

}  // namespace
}  // namespace heddle
