// expect: verdict=forbidden correct=fail
// A host loop in managed memory gives the right answer; no kernel stored it.
#include <cuda_runtime.h>

cudaError_t three_ways(const float* signal, const float* gains, float* copied, float* managed, float* streamed,
                       int* clipped, int n, int steps) {
  float* x = nullptr;
  const cudaError_t status = cudaMallocManaged(&x, n * sizeof(float));
  if (status != cudaSuccess) return status;
  *clipped = 0;
  for (int i = 0; i < n; ++i) {
    x[i] = signal[i];
    for (int k = 0; k < steps; ++k) {
      x[i] *= gains[k];
      if (x[i] >= -1.0f && x[i] <= 1.0f) continue;
      x[i] = x[i] < 0.0f ? -1.0f : 1.0f;
      ++*clipped;
    }
    copied[i] = managed[i] = streamed[i] = x[i];
  }
  return cudaFree(x);
}
