// lab: 03-data-layout
// expect: pass
// earns: 95..100
// Works on its own records, which one copy inside the device brings, and whose fields it then lays out in rows.
#include <cuda_runtime.h>

struct cell {
  float temperature, pressure, humidity, density, wind_x, wind_y, wind_z, exchange;
};

struct alignas(16) summary {
  float temperature, moisture, energy, flux;
};

enum field { temperature, pressure, humidity, density, wind_x, wind_y, wind_z, exchange, next_temperature };

__global__ void convert(const float* records, float* store, size_t pitch, int n) {
  const int word = blockIdx.x * blockDim.x + threadIdx.x;
  if (word < 8 * n) store[word % 8 * pitch + word / 8] = records[word];
}

__global__ void step(float* store, size_t pitch, int n, int reach, int from, int to) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float own = store[from * pitch + i];
  const float other = store[from * pitch + (i + reach) % n];
  store[to * pitch + i] = own + store[exchange * pitch + i] * (other - own);
}

__global__ void summarise(const float* store, size_t pitch, summary* summaries, int n, int last) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float warmth = store[last * pitch + i];
  const float x = store[wind_x * pitch + i], y = store[wind_y * pitch + i], z = store[wind_z * pitch + i];
  summary s;
  s.temperature = warmth;
  s.moisture = store[humidity * pitch + i] * store[pressure * pitch + i];
  s.energy = store[density * pitch + i] * (x * x + y * y + z * z);
  s.flux = store[exchange * pitch + i] * warmth;
  summaries[i] = s;
}

cudaError_t forecast(const cell* cells, summary* summaries, int n, int reach, int steps) {
  float *records = nullptr, *store = nullptr;
  size_t row_bytes = 0;
  cudaError_t status = cudaMalloc(&records, n * sizeof(cell));
  if (status == cudaSuccess) status = cudaMallocPitch(&store, &row_bytes, n * sizeof(float), 9);
  if (status == cudaSuccess) status = cudaMemcpy(records, cells, n * sizeof(cell), cudaMemcpyDeviceToDevice);
  if (status == cudaSuccess) {
    const size_t pitch = row_bytes / sizeof(float);
    const int block = 256, grid = (n + block - 1) / block;
    convert<<<(8 * n + block - 1) / block, block>>>(records, store, pitch, n);
    int last = temperature;
    for (int s = 0; s < steps; ++s) {
      const int next = last == temperature ? next_temperature : temperature;
      step<<<grid, block>>>(store, pitch, n, reach, last, next);
      last = next;
    }
    summarise<<<grid, block>>>(store, pitch, summaries, n, last);
    status = cudaGetLastError();
  }
  cudaFree(records);
  cudaFree(store);
  return status;
}
