// What calls say of launches that cannot be, and of kernels that stop themselves: an H200's answers.
#include <cassert>
#include <cstdio>

__global__ void fill(int* a) {
  extern __shared__ int s[];
  s[threadIdx.x] = 1;
  a[threadIdx.x] = s[threadIdx.x];
}
__global__ void stops(const int* a) {
  if (a[0] >= 0) __trap();
}

int main(int count, char**) {
  int* d;
  cudaMalloc(&d, 128);
  cudaMemset(d, 0, 128);
  fill<<<1, 32, 96000>>>(d);
  std::printf("96,000 bytes of shared memory: %s\n", cudaGetErrorName(cudaGetLastError()));
  fill<<<1, 32, 300000>>>(d);
  std::printf("300,000 bytes of shared memory: %s\n", cudaGetErrorName(cudaGetLastError()));
  stops<<<1, 1>>>(d);
  std::printf("__trap: %s\n", cudaGetErrorName(cudaDeviceSynchronize()));
}
