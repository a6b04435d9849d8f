// Constants, device variables, managed variables, and what the host does with them.
#include <cuda_runtime.h>
#include <stdio.h>
#define MASK_WIDTH 5
__constant__ float M[MASK_WIDTH];
__constant__ float Taps[2][MASK_WIDTH] = {{1, 2, 3}, {4}};
const __constant__ int limit = 12;
__constant__ struct { int width, height; } Size;
__device__ int counter;
__device__ unsigned int hist[16] = {0};
static __device__ float table[4] = {0.5f, 1.5f, 2.5f, 3.5f};
__device__ const int primes[] = {2, 3, 5, 7};
__device__ float* pool;
__managed__ int shared_with_host = 5;
__device__ volatile int flag = 3;

__device__ float lookup(int i) { return table[i & 3] + primes[i & 3]; }
__global__ void use(float* out, int n) {
  int i = threadIdx.x;
  if (i >= n || i >= limit) return;
  float sum = 0;
  for (int j = 0; j < MASK_WIDTH; j++) sum += M[j] * Taps[0][j];
  out[i] = sum + Size.width * Size.height + lookup(i);
  atomicAdd(&counter, 1);
  atomicAdd(&hist[i % 16], 1u);
  if (i == 0) {
    shared_with_host *= flag;
    pool[0] = 8;
  }
}
int main() {
  float h_M[MASK_WIDTH] = {1, 1, 1, 1, 1}, *out, h_out[32], *somewhere, eight = 0;
  cudaMalloc(&out, sizeof(h_out));
  cudaMalloc(&somewhere, 4);
  cudaMemcpyToSymbol(M, h_M, sizeof(h_M));
  cudaMemcpyToSymbol(M, h_M, sizeof(float), 2 * sizeof(float), cudaMemcpyHostToDevice);
  struct { int w, h; } size = {3, 2};
  cudaMemcpyToSymbol(Size, &size, sizeof(size));
  cudaMemcpyToSymbol(pool, &somewhere, sizeof(somewhere));
  int zero = 0, count;
  cudaMemcpyToSymbol(counter, &zero, sizeof(int));
  use<<<1, 32>>>(out, 32);
  cudaDeviceSynchronize();
  cudaMemcpyFromSymbol(&count, counter, sizeof(int));
  cudaMemcpyFromSymbol(&count, counter, sizeof(count), 0, cudaMemcpyDeviceToHost);
  cudaMemcpy(h_out, out, 4, cudaMemcpyDeviceToHost);
  unsigned h_hist[16];
  cudaMemcpyFromSymbol(h_hist, hist, sizeof(h_hist));
  void* address;
  size_t bytes;
  cudaGetSymbolAddress(&address, hist);
  cudaGetSymbolSize(&bytes, hist);
  cudaMemset(address, 0, bytes);
  cudaMemcpy(&eight, somewhere, 4, cudaMemcpyDeviceToHost);
  printf("%d %.1f %u %zu %d %.0f\n", count, h_out[0], h_hist[3], bytes, shared_with_host, eight);
  cudaFree(out);
  cudaFree(somewhere);
  return 0;
}
