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
// The array of the CUDA programming guide, which every function casts for itself, and what else takes it for a pointer.
struct Pair {
  int first, second;
};
extern __shared__ Pair pairs[];
template <class T>
__device__ T* same(T* p) {
  return p;
}
__device__ int sumOf(const unsigned char* p, int n) {
  int sum = 0;
  for (int i = 0; i < n; i++) sum += p[i];
  return sum;
}
__device__ float* asFloats() { return reinterpret_cast<float*>(bytes); }
__global__ void casts(int* d, bool forwards) {
  short* shorts = (short*)bytes;
  int(*rows)[4] = reinterpret_cast<int(*)[4]>(bytes);
  float* floats = (float*)(&shorts[8]);
  const int t = threadIdx.x;
  bytes[t] = 0;
  __syncthreads();
  if (t == 0) {
    shorts[0] = 7, shorts[1] = 0;
    rows[0][1] = 5;
    floats[0] = 0.5f;
    asFloats()[5] = 0.25f;
    auto p = bytes;
    p[9] = 3;
  }
  __syncthreads();
  const unsigned char* from = forwards ? bytes : same(bytes) + 1;
  if (t == 0) {
    d[0] = rows[0][0], d[1] = rows[0][1], d[2] = sumOf(bytes, 16), d[3] = (int)(8 * (floats[0] + floats[1]));
    d[4] = from[0];
  }
  __syncthreads();
  if (t == 0) pairs->first = 11, (pairs + 1)->second = 12;
  __syncthreads();
  if (t == 0) d[5] = ((int*)pairs)[0] + static_cast<Pair*>(pairs)[1].second;
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
  casts<<<1, n, 64>>>(d, true);
  cudaMemcpy(h, d, 6 * sizeof(int), cudaMemcpyDeviceToHost);
  printf("%d %d %d %d %d %d\n", h[0], h[1], h[2], h[3], h[4], h[5]);
  cudaFree(d), cudaFree(df), cudaFree(dg);
}
