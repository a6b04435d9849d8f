#include "gpu.h"
__global__ void k(int* a) { *a = 7; }
int seven() {
  int *d, h = 0;
  cudaMalloc(&d, 4);
  k<<<1, 1>>>(d);
  cudaMemcpy(&h, d, 4, cudaMemcpyDeviceToHost);
  cudaFree(d);
  return h;
}
