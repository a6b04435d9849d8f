#include "report.h"

#include <cmath>
#include <cstdio>

#include <cuda_runtime.h>

#include "reduce.h"

void report(const std::vector<particle>& particles, int steps) {
  std::vector<float> momentum;
  for (const particle& p : particles) momentum.push_back(p.v * p.m);
  float* on_device = nullptr;
  if (cudaMalloc(&on_device, momentum.size() * sizeof(float)) != cudaSuccess) return;
  cudaMemcpy(on_device, momentum.data(), momentum.size() * sizeof(float), cudaMemcpyHostToDevice);
  const float total = sum(on_device, static_cast<int>(momentum.size()));
  cudaFree(on_device);
  std::printf("%zu particles, %d steps: momentum %.0f\n", particles.size(), steps, std::fabs(total));
}
