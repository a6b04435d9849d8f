// expect: correct=pass safe=pass fast=0..20
// A host loop gives the right answer; no kernel, nothing to measure.
#include <cuda_runtime.h>

cudaError_t vector_add(const float* a, const float* b, float* c, int n) {
  for (int i = 0; i < n; ++i) c[i] = a[i] + b[i];
  return cudaSuccess;
}
