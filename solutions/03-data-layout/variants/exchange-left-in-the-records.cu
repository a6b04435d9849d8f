// expect: correct=pass safe=pass fast=5..20
// Only temperatures move to arrays of their own: each step reads the share from the records.
// Without the topic: 50 of 100 points.
#include <cuda_runtime.h>

struct cell {
  float temperature, pressure, humidity, density, wind_x, wind_y, wind_z, exchange;
};

struct alignas(16) summary {
  float temperature, moisture, energy, flux;
};

__global__ void extract(const cell* cells, float* temperatures, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    temperatures[i] = cells[i].temperature;
  }
}

__global__ void step(const float* temperatures, const cell* cells, float* next, int n, int reach) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    const float own = temperatures[i];
    const float other = temperatures[(i + reach) % n];
    next[i] = own + cells[i].exchange * (other - own);
  }
}

__global__ void summarise(const cell* cells, const float* temperatures, summary* summaries, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    const cell c = cells[i];
    const float warmth = temperatures[i];
    summary s;
    s.temperature = warmth;
    s.moisture = c.humidity * c.pressure;
    s.energy = c.density * (c.wind_x * c.wind_x + c.wind_y * c.wind_y + c.wind_z * c.wind_z);
    s.flux = c.exchange * warmth;
    summaries[i] = s;
  }
}

cudaError_t forecast(const cell* cells, summary* summaries, int n, int reach, int steps) {
  const size_t bytes = n * sizeof(float);
  float *temperatures = nullptr, *next = nullptr;
  cudaError_t status = cudaMalloc(&temperatures, bytes);
  if (status == cudaSuccess) status = cudaMalloc(&next, bytes);
  if (status == cudaSuccess) {
    const int block = 256, grid = (n + block - 1) / block;
    extract<<<grid, block>>>(cells, temperatures, n);
    for (int s = 0; s < steps; ++s) {
      step<<<grid, block>>>(temperatures, cells, next, n, reach);
      float* const old = temperatures;
      temperatures = next;
      next = old;
    }
    summarise<<<grid, block>>>(cells, temperatures, summaries, n);
    status = cudaGetLastError();
  }
  cudaFree(temperatures);
  cudaFree(next);
  return status;
}
