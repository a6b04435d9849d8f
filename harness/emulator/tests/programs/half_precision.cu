// half in global and shared memory, its intrinsics and its operators.
#include <cuda_fp16.h>
#include <cuda_runtime.h>
#include <cstdio>
#include <vector>
#define TILE 16

__global__ void toHalf(const float* in, half* out, int n) {
  int i = threadIdx.x + blockDim.x * blockIdx.x;
  if (i < n) out[i] = __float2half(in[i]);
}
__global__ void tile(const __half* a, float* out, int n) {
  __shared__ __half tile[TILE][TILE + 1];
  __shared__ half2 pairs[TILE];
  tile[threadIdx.y][threadIdx.x] = a[threadIdx.y * TILE + threadIdx.x];
  if (threadIdx.y == 0) pairs[threadIdx.x] = __floats2half2_rn(1.0f, (float)threadIdx.x);
  __syncthreads();
  half sum = __float2half(0.0f);
  for (int k = 0; k < TILE; ++k) sum = __hadd(sum, __hmul(tile[threadIdx.y][k], tile[k][threadIdx.x]));
  half2 two = __hadd2(pairs[threadIdx.x], __float2half2_rn(0.5f));
  float low = __low2float(two), high = __high2float(two);
  sum = __hfma(sum, (half)1.0f, half(0));
  if (__hgt(sum, __float2half(-1.0f))) out[threadIdx.y * TILE + threadIdx.x] = __half2float(sum) + low * 0 + high * 0;
}
__global__ void operators(half* io) {
  half x = io[threadIdx.x];
  x = x * x + __float2half(1.f);
  x += half(2.0f);
  if (x > half(3)) x = -x;
  io[threadIdx.x] = x;
}

int main() {
  const int n = TILE * TILE;
  std::vector<float> h(n), back(n);
  for (int i = 0; i < n; ++i) h[i] = (i % 4) * 0.25f;
  float *in, *out;
  half* d;
  cudaMalloc(&in, n * sizeof(float));
  cudaMalloc(&out, n * sizeof(float));
  cudaMalloc(&d, n * sizeof(half));
  cudaMemcpy(in, h.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  toHalf<<<n / 64, 64>>>(in, d, n);
  tile<<<1, dim3(TILE, TILE)>>>(d, out, n);
  cudaMemcpy(back.data(), out, n * sizeof(float), cudaMemcpyDeviceToHost);
  float want = 0;
  for (int k = 0; k < TILE; ++k) want += h[2 * TILE + k] * h[k * TILE + 3];
  printf("%.3f %.3f\n", back[2 * TILE + 3], want);
  operators<<<1, 8>>>(d);
  half hosts[8];
  cudaMemcpy(hosts, d, sizeof(hosts), cudaMemcpyDeviceToHost);
  printf("%.4f %.4f %.4f\n", __half2float(hosts[0]), (float)hosts[2], float(hosts[3]));
  cudaFree(in);
  cudaFree(out);
  cudaFree(d);
}
