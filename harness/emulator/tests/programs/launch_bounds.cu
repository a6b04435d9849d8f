// Launches of kernels with `__launch_bounds__`: in every way in which a bound is written and a kernel is launched.
#include <cuda_runtime.h>
#include <stdio.h>

#define BOUNDED(threads) __global__ void __launch_bounds__(threads)
#define LIMIT 96
constexpr int tile = 8;
template <int W>
struct shape {
  static constexpr int threads = W * W;
};

__global__ void __launch_bounds__(128) plain(int* a) { atomicAdd(a, 1); }
__launch_bounds__(tile* tile, 2) __global__ void with_blocks(int* a) { atomicAdd(a, 1); }
BOUNDED(LIMIT) by_macro(int* a) { atomicAdd(a, 1); }
static __global__ void __launch_bounds__(32) declared_before(int* a);
static __global__ void declared_before(int* a) { atomicAdd(a, 1); }
template <int W>
__global__ void __launch_bounds__(shape<W>::threads) by_template(int* a) {
  atomicAdd(a, W);
}
template <typename T>
__global__ void __launch_bounds__(sizeof(T) * 16, 1) deduced(T* a, T by) {
  atomicAdd(a, by);
}
namespace {
template <typename T, int Threads = 64>
__launch_bounds__(Threads) __global__ void hidden(T* a) {
  atomicAdd(a, 1);
}
}  // namespace
extern "C" __global__ void __launch_bounds__(4096) beyond_any_block(int* a) { atomicAdd(a, 1); }
__global__ void without(int* a, int n = 1) { atomicAdd(a, n); }

void tell(const char* what) {
  const cudaError_t e = cudaGetLastError();
  cudaDeviceSynchronize();
  printf("%s: %s\n", what, cudaGetErrorString(e));
}

int main() {
  int *d, h = 0;
  cudaMalloc(&d, 2 * sizeof(int));
  cudaMemset(d, 0, 2 * sizeof(int));
  plain<<<2, 128>>>(d), tell("128 of 128");
  plain<<<1, dim3(43, 3)>>>(d), tell("129 of 128");
  with_blocks<<<1, dim3(tile, tile)>>>(d), tell("64 of 64");
  with_blocks<<<1, 65>>>(d), tell("65 of 64");
  by_macro<<<1, LIMIT>>>(d), tell("96 of 96");
  by_macro<<<1, 256>>>(d), tell("256 of 96");
  declared_before<<<1, 32>>>(d), tell("32 of 32");
  declared_before<<<1, 64>>>(d), tell("64 of 32");
  by_template<4><<<1, 16>>>(d), tell("16 of 16");
  by_template<4><<<1, 17>>>(d), tell("17 of 16");
  by_template<8><<<1, 17>>>(d), tell("17 of 64");
  deduced<<<1, 64>>>(d, 1), tell("64 of 64, deduced");
  deduced<<<1, 128>>>(d, 1), tell("128 of 64, deduced");
  deduced<<<1, 128>>>(reinterpret_cast<unsigned long long*>(d), 0ULL), tell("128 of 128, deduced");
  hidden<<<1, 64>>>(d), tell("64 of 64, hidden");
  hidden<<<1, 96>>>(d), tell("96 of 64, hidden");
  hidden<int, 96><<<1, 96>>>(d), tell("96 of 96, hidden");
  beyond_any_block<<<1, 1024>>>(d), tell("1024 of 4096");
  without<<<1, 1024>>>(d), tell("1024 without a bound");
  void (*kernel)(int*) = plain;
  kernel<<<1, 256>>>(d), tell("256 of 128, by pointer");
  void* arguments[] = {&d};
  cudaLaunchKernel(plain, dim3(1), dim3(64), arguments, 0, 0), tell("64 of 128, by function");
  printf("returned: %s\n", cudaGetErrorString(cudaLaunchKernel((void*)plain, dim3(1), dim3(256), arguments, 0, 0)));
  tell("256 of 128, by function");
  cudaFuncAttributes attributes;
  cudaFuncGetAttributes(&attributes, plain);
  printf("plain: %d threads\n", attributes.maxThreadsPerBlock);
  cudaFuncGetAttributes(&attributes, by_template<4>);
  printf("by_template<4>: %d threads\n", attributes.maxThreadsPerBlock);
  cudaFuncGetAttributes(&attributes, without);
  printf("without: %d threads\n", attributes.maxThreadsPerBlock);
  int blocks = 0, grid = 0, block = 0;
  cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, plain, 256, 0);
  printf("%d blocks of 256\n", blocks);
  cudaOccupancyMaxPotentialBlockSize(&grid, &block, plain);
  printf("at best %d threads\n", block);
  cudaMemcpy(&h, d, sizeof(int), cudaMemcpyDeviceToHost);
  printf("%d\n", h);
  cudaFree(d);
}
