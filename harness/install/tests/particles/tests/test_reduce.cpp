#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

#include "reduce.h"

int main() {
  const std::vector<float> ones(1000, 1.0f);
  float* on_device = nullptr;
  if (cudaMalloc(&on_device, ones.size() * sizeof(float)) != cudaSuccess) return 1;
  cudaMemcpy(on_device, ones.data(), ones.size() * sizeof(float), cudaMemcpyHostToDevice);
  const float total = sum(on_device, static_cast<int>(ones.size()));
  cudaFree(on_device);
  std::printf("total %g\n", total);
  return total == 1000.0f ? 0 : 1;
}
