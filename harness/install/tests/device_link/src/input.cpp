#include "input.h"
#include <cuda_runtime.h>
static_assert(sizeof(dim3) == 12, "CUDA's header in host code");
std::vector<unsigned> numbers(int count) {
  std::vector<unsigned> out(count);
  unsigned state = 1;
  for (unsigned& one : out) one = (state = state * 1664525u + 1013904223u) >> 8;
  return out;
}
