#include <utility>

#include "check.cuh"
#include "device.cuh"

constexpr int blocks_for(int count, int threads) { return (count + threads - 1) / threads; }

template <class F>
__global__ void for_each(int count, F f) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) f(i);
}

void simulate(std::vector<particle>& particles, int steps, float dt) {
  const int count = static_cast<int>(particles.size());
  const std::size_t bytes = count * sizeof(particle);
  particle *now = nullptr, *next = nullptr;
  CHECK(cudaMalloc(&now, bytes));
  CHECK(cudaMalloc(&next, bytes));
  CHECK(cudaMemcpy(now, particles.data(), bytes, cudaMemcpyHostToDevice));
  for (int step = 0; step < steps; ++step) {
    for_each<<<blocks_for(count, 128), 128>>>(count, [=] __device__(int i) {
      particle p = now[i];
      p.v += dt * force(now, count, i) / p.m;
      p.x += dt * p.v;
      next[i] = p;
    });
    CHECK(cudaGetLastError());
    std::swap(now, next);
  }
  CHECK(cudaMemcpy(particles.data(), now, bytes, cudaMemcpyDeviceToHost));
  CHECK(cudaFree(now));
  CHECK(cudaFree(next));
}
