// Dynamic shared memory as courses declare it: in kernels, outside of them, typed by templates, split by hand.
#include <cstdio>
#include <cuda_runtime.h>
extern __shared__ float outside[];
extern __shared__ __align__(16) unsigned char bytes[];

__global__ void reverse(int* d, int n) {
  extern __shared__ int s[];
  int t = threadIdx.x;
  s[t] = d[t];
  __syncthreads();
  d[t] = s[n - t - 1];
}
__global__ void twoArrays(const float* in, float* out, int n) {
  extern __shared__ float both[];
  float* left = both;
  float* right = (float*)&left[n];
  left[threadIdx.x] = in[threadIdx.x];
  right[n - 1 - threadIdx.x] = 2 * in[threadIdx.x];
  __syncthreads();
  out[threadIdx.x] = left[threadIdx.x] + right[threadIdx.x];
}
__global__ void fromOutside(float* d) {
  outside[threadIdx.x ^ 1] = d[threadIdx.x];
  __syncthreads();
  d[threadIdx.x] = outside[threadIdx.x];
}
template <class T>
struct SharedMemory {
  __device__ inline operator T*() {
    extern __shared__ int __smem[];
    return (T*)__smem;
  }
};
template <class T>
__global__ void rotate(T* d, unsigned n) {
  T* sdata = SharedMemory<T>();
  sdata[threadIdx.x] = d[threadIdx.x];
  __syncthreads();
  d[threadIdx.x] = sdata[(threadIdx.x + 1) % n];
}
template <unsigned int blockSize>
__global__ void unrolled(const int* in, int* out) {
  __shared__ volatile int sdata[blockSize];
  unsigned tid = threadIdx.x;
  sdata[tid] = in[tid];
  __syncthreads();
  if (blockSize >= 64) {
    if (tid < 32) sdata[tid] += sdata[tid + 32];
    __syncthreads();
  }
#pragma unroll
  for (unsigned s = 16; s > 0; s >>= 1) {
    if (tid < s) sdata[tid] += sdata[tid + s];
    __syncthreads();
  }
  if (tid == 0) *out = sdata[0];
}
int main() {
  const int n = 64;
  int h[n], *d;
  float f[n], *df, *dg;
  for (int i = 0; i < n; i++) f[i] = h[i] = i;
  cudaMalloc(&d, n * sizeof(int));
  cudaMalloc(&df, n * sizeof(float));
  cudaMalloc(&dg, n * sizeof(float));
  cudaMemcpy(d, h, n * sizeof(int), cudaMemcpyHostToDevice);
  cudaMemcpy(df, f, n * sizeof(float), cudaMemcpyHostToDevice);
  reverse<<<1, n, n * sizeof(int)>>>(d, n);
  rotate<int><<<1, n, n * sizeof(int)>>>(d, n);
  unrolled<64><<<1, n>>>(d, d + 1);
  twoArrays<<<1, n, 2 * n * sizeof(float)>>>(df, dg, n);
  fromOutside<<<1, n, n * sizeof(float)>>>(dg);
  cudaMemcpy(h, d, 2 * sizeof(int), cudaMemcpyDeviceToHost);
  cudaMemcpy(f, dg, 2 * sizeof(float), cudaMemcpyDeviceToHost);
  printf("%d %d %g %g\n", h[0], h[1], f[0], f[1]);
  cudaFree(d), cudaFree(df), cudaFree(dg);
}
