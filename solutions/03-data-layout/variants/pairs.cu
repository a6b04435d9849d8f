// expect: correct=pass safe=pass fast=45..65
// The two fields of a step as an array of pairs: a thread's own pair is one load, of its partner's pair half is no use.
#include <cuda_runtime.h>

struct cell {
  float temperature, pressure, humidity, density, wind_x, wind_y, wind_z, exchange;
};

struct alignas(16) summary {
  float temperature, moisture, energy, flux;
};

__global__ void extract(const cell* cells, float2* pairs, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    pairs[i] = make_float2(cells[i].temperature, cells[i].exchange);
  }
}

__global__ void step(const float2* pairs, float2* next, int n, int reach) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    const float2 own = pairs[i];
    const float other = pairs[(i + reach) % n].x;
    next[i] = make_float2(own.x + own.y * (other - own.x), own.y);
  }
}

__global__ void summarise(const cell* cells, const float2* pairs, summary* summaries, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    const float4* const halves = reinterpret_cast<const float4*>(cells + i);
    const float4 a = halves[0], b = halves[1];
    const cell c{a.x, a.y, a.z, a.w, b.x, b.y, b.z, b.w};
    const float warmth = pairs[i].x;
    summary s;
    s.temperature = warmth;
    s.moisture = c.humidity * c.pressure;
    s.energy = c.density * (c.wind_x * c.wind_x + c.wind_y * c.wind_y + c.wind_z * c.wind_z);
    s.flux = c.exchange * warmth;
    summaries[i] = s;
  }
}

cudaError_t forecast(const cell* cells, summary* summaries, int n, int reach, int steps) {
  const size_t bytes = n * sizeof(float2);
  float2 *pairs = nullptr, *next = nullptr;
  cudaError_t status = cudaMalloc(&pairs, bytes);
  if (status == cudaSuccess) status = cudaMalloc(&next, bytes);
  if (status == cudaSuccess) {
    const int block = 256, grid = (n + block - 1) / block;
    extract<<<grid, block>>>(cells, pairs, n);
    for (int s = 0; s < steps; ++s) {
      step<<<grid, block>>>(pairs, next, n, reach);
      float2* const old = pairs;
      pairs = next;
      next = old;
    }
    summarise<<<grid, block>>>(cells, pairs, summaries, n);
    status = cudaGetLastError();
  }
  cudaFree(pairs);
  cudaFree(next);
  return status;
}
