// The emulated GPU maps no host memory, says so when asked, and where a kernel is given such memory all the same.
#include <cstdio>

__global__ void fill(int* values) { values[threadIdx.x] = static_cast<int>(threadIdx.x); }

int main() {
  int *host, *device = nullptr, can_map = -1;
  cudaDeviceGetAttribute(&can_map, cudaDevAttrCanMapHostMemory, 0);
  cudaHostAlloc(&host, 128, cudaHostAllocMapped);
  std::printf("%d, %s\n", can_map, cudaGetErrorString(cudaHostGetDevicePointer(&device, host, 0)));
  fill<<<1, 32>>>(host);
  cudaDeviceSynchronize();
  cudaFreeHost(host);
}
