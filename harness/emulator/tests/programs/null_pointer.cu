// A kernel gets a null pointer; the program goes on, and says so.
#include <stdio.h>
__global__ void k(float* a) {
  a[threadIdx.x] = 1;
}
int main() {
  k<<<1, 32>>>(NULL);
  printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
  return 0;
}
