// expect: verdict=forbidden correct=fail
// A host loop gives the right answer; no kernel stored it.
#include <cuda_runtime.h>

cudaError_t vector_add(const float* a, const float* b, float* c, int n) {
  for (int i = 0; i < n; ++i) c[i] = a[i] + b[i];
  return cudaSuccess;
}
