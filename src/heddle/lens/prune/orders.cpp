// See orders.hpp.
#include "heddle/lens/prune/orders.hpp"

#include <array>

#include "heddle/base/fields.hpp"
#include "heddle/base/index.hpp"

namespace heddle {
namespace {

constexpr std::array<std::string_view, 3> kOrders{"measured", "gradient", "random"};

}  // namespace

std::string_view name_of(PruneOrder order) {
  return kOrders[to_size(order)];
}

PruneOrder parse_prune_order(std::string_view text) {
  return static_cast<PruneOrder>(parse_name("--by", text, kOrders));
}

}  // namespace heddle
