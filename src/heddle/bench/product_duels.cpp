// See product_duels.hpp.
#include "heddle/bench/product_duels.hpp"

#include <memory>
#include <utility>

#include "heddle/bench/duel.hpp"
#include "heddle/bench/libraries.hpp"
#include "heddle/bench/measure.hpp"
#include "heddle/bench/numbers.hpp"

namespace heddle {
namespace {

constexpr int kDuelRounds = 15;
constexpr double kSeconds = 0.005;  // of a turn

/// One product: what we call it, how we do it, and what a library is given.
struct Form {
  std::string name;
  std::function<void()> ours;
  LibraryProduct theirs;
};

std::vector<Form> forms_of(BenchLayer& l) {
  return {{.name = "x·W",
           .ours =
               [&l] {
                 l.pack();
                 l.forward({});
               },
           .theirs = {.m = l.m,
                      .k = l.k,
                      .n = l.n,
                      .a = l.x.data<float>(),
                      .b = l.w.data<float>(),
                      .c = l.y.write<float>()}},
          {.name = "dy·Wᵀ",
           .ours =
               [&l] {
                 l.pack_transposed();
                 l.input_gradient({});
               },
           .theirs = {.m = l.m,
                      .k = l.n,
                      .n = l.k,
                      .a = l.dy.data<float>(),
                      .b = l.w.data<float>(),
                      .b_transposed = true,
                      .c = l.dx.write<float>()}},
          {.name = "xᵀ·dy",
           .ours = [&l] { l.bare_weight_gradient(); },
           .theirs = {.m = l.k,
                      .k = l.m,
                      .n = l.n,
                      .a = l.x.data<float>(),
                      .b = l.dy.data<float>(),
                      .a_transposed = true,
                      .c = l.dw.write<float>()}}};
}

PeerDuel run_duels(const Form& form, const BenchLayer& layer,
                   const std::vector<ProductLibrary>& libraries) {
  const auto contestant = [&](std::string name, std::function<void()> call) {
    call();  // warm
    return Contestant{std::move(name), 1, [&layer, call = std::move(call)] {
                        return rate_of({.name = {}, .unit = {}, .batch = layer.m, .call = call},
                                       kSeconds);
                      }};
  };
  Duel duel{.name = fmt::format("{} {} × {} × {}", form.name, layer.m, layer.k, layer.n),
            .unit = "rows",
            .batch = layer.m,
            .rounds = kDuelRounds,
            .ours = {contestant("Heddle", form.ours)},
            .peers = {}};
  for (const ProductLibrary& library : libraries)
    duel.peers.push_back(
        contestant(library.name, [&library, product = form.theirs] { library.multiply(product); }));
  return run_duel(duel);
}

}  // namespace

void run_product_duels(const std::string& only, const std::function<void(const std::string&)>& told,
                       PeerReport& report) {
  if (std::string_view("products").find(only) == std::string_view::npos) return;
  std::vector<std::string> missing;
  const std::vector<ProductLibrary> libraries = find_product_libraries(missing);
  for (const ProductLibrary& library : libraries) report.versions.push_back(library.name);
  for (const std::string& line : missing)
    if (told) told(line);
  if (libraries.empty()) return;
  if (told) told("products");
  for (const Index m : {Index{320}, Index{448}, Index{1024}})
    for (const auto& [k, n] :
         {std::pair<Index, Index>{128, 128}, {128, 384}, {128, 512}, {512, 128}}) {
      BenchLayer layer(m, k, n);
      for (const Form& form : forms_of(layer))
        report.duels.push_back(run_duels(form, layer, libraries));
      if (told) told({});
    }
}

}  // namespace heddle
