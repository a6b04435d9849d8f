// A kernel that is stopped loses the context: each later call fails at once, and that host code then reads managed memory is no
// mistake of its own.
#include <cstdio>

__global__ void store(int* x, int* bad) {
  x[threadIdx.x] = 1;
  if (threadIdx.x == 0) *bad = 1;
}

int main() {
  int* x;
  cudaMallocManaged(&x, 32 * sizeof(int));
  store<<<1, 32>>>(x, nullptr);
  std::printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
  std::printf("%d\n", x[0]);
  cudaFree(x);
}
