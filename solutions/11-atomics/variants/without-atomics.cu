// expect: correct=pass safe=pass fast=25..37
// The lab without its topic: one thread for each bin reads all bytes, and one block finds the maximum.
// Without the topic: 69 of 100 points.
#include <cuda_runtime.h>

__global__ void count(const unsigned char* bytes, unsigned int* bins, int n) {
  unsigned int mine = 0;
  for (int i = 0; i < n; ++i) mine += bytes[i] == threadIdx.x;
  bins[threadIdx.x] = mine;
}

void histogram(const unsigned char* bytes, unsigned int* bins, int n) { count<<<1, 256>>>(bytes, bins, n); }

__global__ void find(const float* values, float* largest, int n) {
  __shared__ float part[1024];
  float own = -INFINITY;
  for (int i = threadIdx.x; i < n; i += 1024) own = fmaxf(own, values[i]);
  part[threadIdx.x] = own;
  for (int half = 512; half > 0; half /= 2) {
    __syncthreads();
    if (threadIdx.x < half) part[threadIdx.x] = fmaxf(part[threadIdx.x], part[threadIdx.x + half]);
  }
  if (threadIdx.x == 0) *largest = part[0];
}

void maximum(const float* values, float* largest, int n) { find<<<1, 1024>>>(values, largest, n); }

void histogram_and_maximum(const unsigned char* bytes, unsigned int* bins, int byte_count, const float* values,
                           float* largest, int value_count) {
  if (byte_count > 0) histogram(bytes, bins, byte_count);
  if (value_count > 0) maximum(values, largest, value_count);
}
