// What kernels of course code are made of: macros inside of them, literals of type double, two-dimensional shared arrays, early
// returns, assertions, memory of their own.
#include <assert.h>
#include <stdio.h>
#include <cuda.h>
#include <cuda_runtime.h>
using namespace std;

#define BLOCK 64
#define CEIL(a, b) (((a) + (b)-1) / (b))

class Accumulator {
 public:
  __device__ Accumulator() : sum(0) {}
  __device__ void add(float x) { sum += x; }
  float sum;
};
__device__ __noinline__ float half_of(float x) { return x * 0.5; }
__host__ __device__ inline int clampTo(int x, int most) { return x > most ? most : x; }

__global__ void bodies(float *__restrict__ out, const float *__restrict__ in, int n) {
#define at(i) in[clampTo(i, n - 1)]
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  assert(i < n);
  Accumulator a;
  for (int k = 0; k < 3; ++k) a.add(at(i + k) * 1.5);
  out[i] = half_of(a.sum) + 0.25;
#undef at
}

__global__ void gridStride(float *data, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) data[i] *= 2;
}

template <int TILE>
__global__ void tiled(float *out, const float *in, int width) {
  __shared__ float tile[TILE][TILE + 1];
  int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;
  tile[threadIdx.y][threadIdx.x] = in[y * width + x];
  __syncthreads();
  out[(blockIdx.x * TILE + threadIdx.y) * width + blockIdx.y * TILE + threadIdx.x] = tile[threadIdx.x][threadIdx.y];
}

__global__ void exchange(int *least, unsigned *ballot, int *sum) {
  int v = 31 - threadIdx.x;
  atomicMin(least, v);
  unsigned odd = __ballot_sync(0xffffffff, v & 1);
  for (int d = 16; d > 0; d /= 2) v += __shfl_down_sync(0xffffffff, v, d);
  if (threadIdx.x == 0) {
    *ballot = odd;
    *sum = v;
  }
}

__global__ void ownMemory(int *out) {
  int *mine = (int *)malloc(4 * sizeof(int));
  if (mine == NULL) return;
  for (int k = 0; k < 4; ++k) mine[k] = threadIdx.x + k;
  out[threadIdx.x] = mine[0] + mine[3];
  free(mine);
}

int main() {
  const int n = 4 * BLOCK - 7;
  float *h = (float *)malloc(n * sizeof(float)), *in, *out;
  for (int i = 0; i < n; ++i) h[i] = i;
  cudaMalloc(&in, 4096 * sizeof(float));
  cudaMalloc(&out, 4096 * sizeof(float));
  cudaMemset(in, 0, 4096 * sizeof(float));
  cudaMemcpy(in, h, n * sizeof(float), cudaMemcpyHostToDevice);
  bodies<<<CEIL(n, BLOCK), BLOCK>>>(out, in, n);
  gridStride<<<2, BLOCK>>>(out, n);
  cudaMemcpy(h, out, n * sizeof(float), cudaMemcpyDeviceToHost);
  printf("%g %g %g\n", h[0], h[100], h[n - 1]);
  tiled<8><<<dim3(4, 4), dim3(8, 8)>>>(out, in, 32);
  cudaMemcpy(h, out, 64 * sizeof(float), cudaMemcpyDeviceToHost);
  printf("%g %g\n", h[1], h[33]);
  int *d, found[32] = {99};
  cudaMalloc(&d, sizeof(found));
  cudaMemcpy(d, found, sizeof(found), cudaMemcpyHostToDevice);
  exchange<<<1, 32>>>(d, (unsigned *)d + 1, d + 2);
  cudaMemcpy(found, d, sizeof(found), cudaMemcpyDeviceToHost);
  printf("%d %x %d\n", found[0], found[1], found[2]);
  auto sumOf = [&](int count) {
    int s = 0;
    for (int i = 0; i < count; ++i) s += found[i];
    return s;
  };
  ownMemory<<<1, 32>>>(d);
  cudaMemcpy(found, d, sizeof(found), cudaMemcpyDeviceToHost);
  printf("%d\n", sumOf(32));
  cudaFree(in);
  cudaFree(out);
  cudaFree(d);
  free(h);
  return 0;
}
