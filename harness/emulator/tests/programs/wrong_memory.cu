// A kernel gets host memory, and host code reads device memory.
#include <stdio.h>
#include <stdlib.h>
__global__ void k(float* a) { a[threadIdx.x] = 1; }
int main(void) {
  float* d, *h = (float*)malloc(128);
  cudaMalloc(&d, 128);
  k<<<1, 32>>>(h);
  printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
  fflush(stdout);
  printf("%f\n", d[3]);
}
