// Calls one kernel a number of times and ends, for tools/check_instructions, which counts how many
// instructions a call takes: a measure that does not depend on how busy the machine is.
//   instructions LEVEL NAME CALLS     (LEVEL: an instruction set; NAME: as `heddle bench` prints
//   it)
#include <cstdio>
#include <cstdlib>
#include <string>

#include "heddle/bench/works.hpp"
#include "heddle/kernels/isa.hpp"

namespace {

const heddle::OwnedWork* find(const std::vector<heddle::OwnedWork>& works,
                              const std::string& name) {
  for (const heddle::OwnedWork& each : works)
    if (each.work.name == name) return &each;
  return nullptr;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) return 2;
  const std::string name = argv[2];
  heddle::kernels::pin_isa(argv[1]);
  const auto products = heddle::product_works(), others = heddle::kernel_works();
  const heddle::OwnedWork* chosen = find(products, name);
  if (chosen == nullptr) chosen = find(others, name);
  if (chosen == nullptr) {
    std::fprintf(stderr, "no kernel is named '%s'\n", name.c_str());
    return 2;
  }
  for (int left = std::atoi(argv[3]); left > 0; --left) chosen->work.call();
}
