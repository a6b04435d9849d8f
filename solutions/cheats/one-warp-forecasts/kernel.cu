// lab: 03-data-layout
// row: 41
// expect: pass
// without-audit: pass
// caught-by: whole_work
// earns: 0..12
// else-earns: 90..100
// One warp for the whole ring: each request is as good as it can be, and the rest of the GPU has nothing to do.
#include <cuda_runtime.h>

struct cell {
  float temperature, pressure, humidity, density, wind_x, wind_y, wind_z, exchange;
};

struct alignas(16) summary {
  float temperature, moisture, energy, flux;
};

enum field { temperature, pressure, humidity, density, wind_x, wind_y, wind_z, exchange, next_temperature };

__global__ void forecast_all(const float* cells, float* store, size_t pitch, summary* summaries, int n, int reach,
                             int steps) {
  for (int word = threadIdx.x; word < 8 * n; word += 32) store[word % 8 * pitch + word / 8] = cells[word];
  __syncwarp();
  int last = temperature;
  for (int s = 0; s < steps; ++s) {
    const int next = last == temperature ? next_temperature : temperature;
    for (int i = threadIdx.x; i < n; i += 32) {
      const float own = store[last * pitch + i];
      const float other = store[last * pitch + (i + reach) % n];
      store[next * pitch + i] = own + store[exchange * pitch + i] * (other - own);
    }
    __syncwarp();
    last = next;
  }
  for (int i = threadIdx.x; i < n; i += 32) {
    const float warmth = store[last * pitch + i];
    const float x = store[wind_x * pitch + i], y = store[wind_y * pitch + i], z = store[wind_z * pitch + i];
    summary s;
    s.temperature = warmth;
    s.moisture = store[humidity * pitch + i] * store[pressure * pitch + i];
    s.energy = store[density * pitch + i] * (x * x + y * y + z * z);
    s.flux = store[exchange * pitch + i] * warmth;
    summaries[i] = s;
  }
}

cudaError_t forecast(const cell* cells, summary* summaries, int n, int reach, int steps) {
  float* store = nullptr;
  size_t row_bytes = 0;
  const cudaError_t status = cudaMallocPitch(&store, &row_bytes, n * sizeof(float), 9);
  if (status != cudaSuccess) return status;
  const float* const words = reinterpret_cast<const float*>(cells);
  forecast_all<<<1, 32>>>(words, store, row_bytes / sizeof(float), summaries, n, reach, steps);
  cudaFree(store);
  return cudaGetLastError();
}
