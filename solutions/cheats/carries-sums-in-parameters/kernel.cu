// lab: 01-vector-add
// row: 41
// expect: forbidden
// without-audit: forbidden
// caught-by: kernel_writes
// The host adds, and parameters of kernels carry the sums to the device, 60 at a time.
#include <cuda_runtime.h>

struct sums {
  float at[60];
};

__global__ void store(sums s, float* c, int n) {
  if (threadIdx.x < n) c[threadIdx.x] = s.at[threadIdx.x];
}

cudaError_t vector_add(const float* a, const float* b, float* c, int n) {
  float* d_c;
  cudaError_t error = cudaMalloc(&d_c, n * sizeof(float));
  if (error != cudaSuccess) return error;
  for (int i = 0; i < n && error == cudaSuccess; i += 60) {
    sums s;
    const int count = n - i < 60 ? n - i : 60;
    for (int e = 0; e < count; ++e) s.at[e] = a[i + e] + b[i + e];
    store<<<1, 64>>>(s, d_c + i, count);
    error = cudaGetLastError();
  }
  if (error == cudaSuccess) error = cudaMemcpy(c, d_c, n * sizeof(float), cudaMemcpyDeviceToHost);
  const cudaError_t freed = cudaFree(d_c);
  return error == cudaSuccess ? freed : error;
}
