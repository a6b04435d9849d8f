// A local array of 48 KB is all right; a recursion without end is not, on the device or on the host.
#include <stdio.h>
__device__ int down(int n) { volatile int big[64]; big[n % 64] = n; return down(n + 1) + big[(n + 1) % 64]; }
__global__ void k(int* a) { *a = down(0); }
__global__ void large(float* a) {
  float local[12 * 1024];
  for (int i = 0; i < 12 * 1024; i++) local[i] = i;
  a[0] = local[(int)a[0] + 5];
}
int climb(int n) { volatile char b[1 << 16]; b[n % 4096] = n; return climb(n + 1) + b[0]; }
int main() {
  int* d;
  cudaMalloc(&d, 4);
  cudaMemset(d, 0, 4);
  large<<<1, 1>>>((float*)d);
  printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
  k<<<1, 1>>>(d);
  printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
  cudaFree(d);
  fflush(stdout);
  return climb(0);
}
