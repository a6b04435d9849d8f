// expect: verdict=unsafe correct=pass safe=fail fast=70..89
// Compares and stores in two steps: between them another thread may have stored more.
// As a mutant: atomic-made-plain.
#include <cuda_runtime.h>

__global__ void count(const unsigned char* bytes, unsigned int* bins, int n) {
  __shared__ unsigned int own[256];
  own[threadIdx.x] = 0;
  __syncthreads();
  for (int i = blockIdx.x * 256 + threadIdx.x; i < n; i += gridDim.x * 256) atomicAdd(&own[bytes[i]], 1u);
  __syncthreads();
  atomicAdd(&bins[threadIdx.x], own[threadIdx.x]);
}

void histogram(const unsigned char* bytes, unsigned int* bins, int n) {
  cudaMemset(bins, 0, 256 * sizeof(unsigned int));
  count<<<min((n + 4095) / 4096, 1056), 256>>>(bytes, bins, n);
}

__global__ void start(float* largest) { *largest = -INFINITY; }

__global__ void find(const float* values, float* largest, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && values[i] > *largest) *largest = values[i];
}

void maximum(const float* values, float* largest, int n) {
  start<<<1, 1>>>(largest);
  find<<<(n + 255) / 256, 256>>>(values, largest, n);
}

void histogram_and_maximum(const unsigned char* bytes, unsigned int* bins, int byte_count, const float* values,
                           float* largest, int value_count) {
  if (byte_count > 0) histogram(bytes, bins, byte_count);
  if (value_count > 0) maximum(values, largest, value_count);
}
