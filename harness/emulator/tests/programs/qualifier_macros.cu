// Qualifiers behind macros of the program's own, as libraries that also compile without CUDA write them.
#include <cstdio>

#define DEVICE __device__
#define DEVICE_VARIABLE(type, name) DEVICE type name
#define CONSTANT_ARRAY(type, name, n) __constant__ type name[n]
#define TILE(name, w) __shared__ float name[w][w + 1]
#define HIDDEN DEVICE static
#define KERNEL extern "C" __global__ void
#define BOUNDED_KERNEL(threads) __global__ void __launch_bounds__(threads)
#define HOST_DEVICE __host__ __device__

DEVICE_VARIABLE(int, counter);
CONSTANT_ARRAY(float, weights, 3);
HIDDEN int five = 5;
HOST_DEVICE inline int twice(int x) { return 2 * x; }
#define DEVICE_FUNCTION(name, sign) \
  DEVICE int name(int x) { return sign x; }
DEVICE_FUNCTION(negative, -)

__global__ void negate(int* p) { *p = negative(*p); }

template <int n>
BOUNDED_KERNEL(256)
turn_around(int* p) {
  TILE(tile, n);
  tile[threadIdx.x][0] = float(five + threadIdx.x);
  __syncthreads();
  p[threadIdx.x] = twice((int)tile[n - 1 - threadIdx.x][0]);
}

KERNEL weigh(float* p) {
  atomicAdd(&counter, 1);
  extern __shared__ float passed[];
  passed[threadIdx.x] = weights[threadIdx.x % 3];
  __syncthreads();
  p[threadIdx.x] = passed[(threadIdx.x + 1) % blockDim.x];
}

#undef HIDDEN
#define HIDDEN const
HIDDEN int of_the_host = 3;

int main() {
  float *d, from_device[32];
  int *e, turned[8], count;
  const float w[3] = {1, 2, 3};
  cudaMalloc(&d, sizeof from_device);
  cudaMalloc(&e, sizeof turned);
  cudaMemcpyToSymbol(weights, w, sizeof w);
  weigh<<<1, 32, 32 * sizeof(float)>>>(d);
  turn_around<8><<<1, 8>>>(e);
  negate<<<1, 1>>>(e);
  cudaMemcpy(from_device, d, sizeof from_device, cudaMemcpyDeviceToHost);
  cudaMemcpy(turned, e, sizeof turned, cudaMemcpyDeviceToHost);
  cudaMemcpyFromSymbol(&count, counter, sizeof count);
  printf("%g %g, %d, %d %d, %d\n", from_device[0], from_device[1], count, turned[0], turned[7], of_the_host);
  cudaFree(d);
  cudaFree(e);
  return 0;
}
