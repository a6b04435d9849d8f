// expect: correct=pass safe=pass fast=0..9
// An array of structures: nine floats of a cell side by side. A request for one field uses 4 bytes of each sector.
// Without the topic: 40 of 100 points.
#include <cuda_runtime.h>

struct cell {
  float temperature, pressure, humidity, density, wind_x, wind_y, wind_z, exchange;
};

enum field { temperature, pressure, humidity, density, wind_x, wind_y, wind_z, exchange, next_temperature };
constexpr int delivered_fields = 8;
constexpr int stored_fields = 9;

struct alignas(16) summary {
  float temperature, moisture, energy, flux;
};

__device__ size_t place_of(size_t i, int f, size_t pitch) {
  size_t place = 0;
  place = i * stored_fields + f;
  return place;
}

__global__ void convert(const float* cells, float* store, size_t pitch, int n) {
  const size_t word = static_cast<size_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (word < static_cast<size_t>(n) * delivered_fields)
    store[place_of(word / delivered_fields, word % delivered_fields, pitch)] = cells[word];
}

__global__ void step(float* store, size_t pitch, int n, int reach, int from, int to) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    const float own = store[place_of(i, from, pitch)];
    const float other = store[place_of((i + reach) % n, from, pitch)];
    store[place_of(i, to, pitch)] = own + store[place_of(i, exchange, pitch)] * (other - own);
  }
}

__global__ void summarise(const float* store, size_t pitch, summary* summaries, int n, int last) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    const float warmth = store[place_of(i, last, pitch)];
    const float x = store[place_of(i, wind_x, pitch)];
    const float y = store[place_of(i, wind_y, pitch)];
    const float z = store[place_of(i, wind_z, pitch)];
    summary s;
    s.temperature = warmth;
    s.moisture = store[place_of(i, humidity, pitch)] * store[place_of(i, pressure, pitch)];
    s.energy = store[place_of(i, density, pitch)] * (x * x + y * y + z * z);
    s.flux = store[place_of(i, exchange, pitch)] * warmth;
    summaries[i] = s;
  }
}

cudaError_t forecast(const cell* cells, summary* summaries, int n, int reach, int steps) {
  cudaError_t status = cudaSuccess;
  float* store = nullptr;
  size_t pitch = 0;
  status = cudaMalloc(&store, static_cast<size_t>(n) * stored_fields * sizeof(float));

  if (status != cudaSuccess || store == nullptr) return status;
  const int block = 256;
  const int words_grid = static_cast<int>((static_cast<size_t>(n) * delivered_fields + block - 1) / block);
  convert<<<words_grid, block>>>(reinterpret_cast<const float*>(cells), store, pitch, n);

  const int grid = (n + block - 1) / block;
  int last = temperature;
  for (int s = 0; s < steps; ++s) {
    const int next = last == temperature ? next_temperature : temperature;
    step<<<grid, block>>>(store, pitch, n, reach, last, next);
    last = next;
  }

  summarise<<<grid, block>>>(store, pitch, summaries, n, last);
  status = cudaGetLastError();
  cudaFree(store);
  return status;
}
