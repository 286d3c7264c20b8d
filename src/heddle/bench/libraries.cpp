// See libraries.hpp.
#include "heddle/bench/libraries.hpp"

#include <cstdint>
#include <cstdlib>

#include <dlfcn.h>

namespace heddle {
namespace {

// The libraries' own interfaces, as their headers declare them.
using CblasSgemm = void (*)(int order, int transpose_a, int transpose_b, int m, int n, int k,
                            float alpha, const float* a, int lda, const float* b, int ldb,
                            float beta, float* c, int ldc);
using DnnlSgemm = int (*)(char transpose_a, char transpose_b, std::int64_t m, std::int64_t n,
                          std::int64_t k, float alpha, const float* a, std::int64_t lda,
                          const float* b, std::int64_t ldb, float beta, float* c, std::int64_t ldc);

/// A function of the first of these libraries that is there; null if none is.
template <class Function>
Function find(std::initializer_list<const char*> libraries, const char* name) {
  for (const char* library : libraries) {
    void* handle = ::dlopen(library, RTLD_NOW | RTLD_LOCAL);
    if (handle == nullptr) continue;
    if (void* found = ::dlsym(handle, name)) return reinterpret_cast<Function>(found);
  }
  return nullptr;
}

Index leading_a(const LibraryProduct& p) {
  return p.a_transposed ? p.m : p.k;
}
Index leading_b(const LibraryProduct& p) {
  return p.b_transposed ? p.k : p.n;
}

void by_cblas(CblasSgemm sgemm, const LibraryProduct& p) {
  constexpr int kByRows = 101, kPlain = 111, kTransposed = 112;
  const auto whole = [](Index number) { return static_cast<int>(number); };
  sgemm(kByRows, p.a_transposed ? kTransposed : kPlain, p.b_transposed ? kTransposed : kPlain,
        whole(p.m), whole(p.n), whole(p.k), 1, p.a, whole(leading_a(p)), p.b, whole(leading_b(p)),
        0, p.c, whole(p.n));
}

void by_dnnl(DnnlSgemm sgemm, const LibraryProduct& p) {
  const auto letter = [](bool transposed) { return transposed ? 'T' : 'N'; };
  sgemm(letter(p.a_transposed), letter(p.b_transposed), p.m, p.n, p.k, 1, p.a, leading_a(p), p.b,
        leading_b(p), 0, p.c, p.n);
}

}  // namespace

std::vector<ProductLibrary> find_product_libraries(std::vector<std::string>& missing) {
  // Read when the libraries are loaded.
  for (const char* pool : {"OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS"}) ::setenv(pool, "1", 1);
  std::vector<ProductLibrary> found;
  if (const auto sgemm = find<CblasSgemm>({"libopenblas.so.0", "libopenblas.so"}, "cblas_sgemm"))
    found.push_back({"OpenBLAS", [sgemm](const LibraryProduct& p) { by_cblas(sgemm, p); }});
  else
    missing.emplace_back("OpenBLAS is not here (Debian: libopenblas0)");
  if (const auto sgemm =
          find<DnnlSgemm>({"libdnnl.so.3", "libdnnl.so.2", "libdnnl.so"}, "dnnl_sgemm"))
    found.push_back({"oneDNN", [sgemm](const LibraryProduct& p) { by_dnnl(sgemm, p); }});
  else
    missing.emplace_back("oneDNN is not here (Debian: libdnnl2)");
  return found;
}

}  // namespace heddle
