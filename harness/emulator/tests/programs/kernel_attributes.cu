// What the runtime says of kernels, and the occupancy functions.
#include <cuda_runtime.h>
#include <stdio.h>
__global__ void tile(float* a) {
  __shared__ float s[16][16];
  s[threadIdx.y][threadIdx.x] = a[threadIdx.y * 16 + threadIdx.x];
  __syncthreads();
  a[threadIdx.y * 16 + threadIdx.x] = s[threadIdx.x][threadIdx.y];
}
template <typename T>
__global__ void dynamic(T* a, int n) {
  extern __shared__ char raw[];
  T* s = (T*)raw;
  s[threadIdx.x] = a[threadIdx.x];
  __syncthreads();
  a[threadIdx.x] = s[n - 1 - threadIdx.x];
}
int main() {
  cudaFuncAttributes attr;
  cudaError_t e = cudaFuncGetAttributes(&attr, tile);
  printf("%s: %zu bytes of shared memory, %d threads\n", cudaGetErrorString(e), attr.sharedSizeBytes,
         attr.maxThreadsPerBlock);
  cudaFuncGetAttributes(&attr, dynamic<float>);
  printf("%zu\n", attr.sharedSizeBytes);
  cudaFuncSetCacheConfig(tile, cudaFuncCachePreferShared);
  cudaDeviceSetCacheConfig(cudaFuncCachePreferL1);
  cudaFuncSetAttribute(dynamic<float>, cudaFuncAttributeMaxDynamicSharedMemorySize, 64 * 1024);
  cudaFuncSetAttribute(tile, cudaFuncAttributePreferredSharedMemoryCarveout, 50);
  int blocks = 0, grid = 0, block = 0;
  cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, tile, 256, 0);
  printf("%d blocks of 256\n", blocks);
  cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, dynamic<float>, 128, 48 * 1024);
  printf("%d blocks with 48 KiB\n", blocks);
  cudaOccupancyMaxPotentialBlockSize(&grid, &block, tile, 0, 0);
  printf("%d threads\n", block);
  float* d;
  cudaMalloc(&d, 64 * 1024);
  cudaMemset(d, 0, 64 * 1024);
  dynamic<float><<<1, 512, 64 * 1024>>>(d, 512);
  printf("%s\n", cudaGetErrorString(cudaGetLastError()));
  cudaFree(d);
}
