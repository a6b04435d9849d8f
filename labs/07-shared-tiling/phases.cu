// Lab 07, the toys: products so small that `make phases LAB=07` prints all that each thread of your kernel does.
#include "phases/toy.h"

using namespace simtlab::phases;

void matrix_multiply(const float* a, const float* b, float* c, int j, int k, int l);  // yours, in kernel.cu

namespace {

toy product(const char* title, int j, int k, int l) {
  return {title, {{"a", j, k}, {"b", k, l}, {"c", j, l, false}}, [=](const std::vector<float*>& m) {
            matrix_multiply(m[0], m[1], m[2], j, k, l);
          }};
}

}  // namespace

std::vector<toy> define_toys() {
  return {product("4 x 4 by 4 x 4", 4, 4, 4), product("3 x 3 by 3 x 3, ragged", 3, 3, 3)};
}
