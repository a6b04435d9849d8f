// expect: correct=pass safe=pass fast=100..100
// What is possible of the kernel: it reads and writes as fast as the memory goes. A thread asks for four times 16 bytes of each
// vector before it adds the first. The whole call hardly gains: the copies over the bus take a hundred times as long as
// the kernel, and only memory that the caller had pinned (cudaMallocHost) would make them faster.
#include <cuda_runtime.h>

constexpr int threads = 256, loads = 4, piece = threads * loads * 4;  // elements of one block

// All three begin where cudaMalloc put them, at a multiple of 256 bytes.
__global__ void add_quads(const float* __restrict__ a, const float* __restrict__ b, float* __restrict__ c, int n) {
  const long long first = static_cast<long long>(blockIdx.x) * piece + 4 * threadIdx.x;
  float4 x[loads], y[loads];
#pragma unroll
  for (int i = 0; i < loads; ++i) {
    const long long at = first + i * threads * 4;
    if (at + 4 > n) continue;
    x[i] = *reinterpret_cast<const float4*>(a + at);
    y[i] = *reinterpret_cast<const float4*>(b + at);
  }
#pragma unroll
  for (int i = 0; i < loads; ++i) {
    const long long at = first + i * threads * 4;
    if (at + 4 <= n)
      *reinterpret_cast<float4*>(c + at) =
          make_float4(x[i].x + y[i].x, x[i].y + y[i].y, x[i].z + y[i].z, x[i].w + y[i].w);
    else
      for (long long rest = at; rest < n; ++rest) c[rest] = a[rest] + b[rest];
  }
}

cudaError_t vector_add(const float* a, const float* b, float* c, int n) {
  const size_t bytes = static_cast<size_t>(n) * sizeof(float);
  float *device_a = nullptr, *device_b = nullptr, *device_c = nullptr;
  cudaError_t status = cudaMalloc(&device_a, bytes);
  if (status == cudaSuccess) status = cudaMalloc(&device_b, bytes);
  if (status == cudaSuccess) status = cudaMalloc(&device_c, bytes);
  if (status == cudaSuccess) status = cudaMemcpy(device_a, a, bytes, cudaMemcpyHostToDevice);
  if (status == cudaSuccess) status = cudaMemcpy(device_b, b, bytes, cudaMemcpyHostToDevice);
  if (status == cudaSuccess) {
    add_quads<<<(n - 1) / piece + 1, threads>>>(device_a, device_b, device_c, n);
    status = cudaGetLastError();
  }
  if (status == cudaSuccess) status = cudaMemcpy(c, device_c, bytes, cudaMemcpyDeviceToHost);
  cudaFree(device_a);
  cudaFree(device_b);
  cudaFree(device_c);
  return status;
}
