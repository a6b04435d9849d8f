#include <cstdio>
#include <cuda_runtime.h>
void report(const float* a, int n) {
  cudaDeviceProp p;
  cudaGetDeviceProperties(&p, 0);
  printf("%g %g %d\n", a[0], a[n - 1], p.warpSize);
}
