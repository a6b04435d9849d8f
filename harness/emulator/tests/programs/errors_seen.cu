// Programs that go wrong and look: refused launches, a null pointer, and what comes after it.
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#define gpuErrchk(ans) { gpuAssert((ans), __FILE__, __LINE__); }
inline void gpuAssert(cudaError_t code, const char* file, int line, bool abort = false) {
  if (code != cudaSuccess) {
    printf("GPUassert: %s %s %d\n", cudaGetErrorString(code), file, line);
    if (abort) exit(code);
  }
}
__global__ void store(float* a, int i) {
  a[i] = 1;
}
int main() {
  float* d;
  gpuErrchk(cudaMalloc(&d, 100 * sizeof(float)));
  store<<<1, 2000>>>(d, 0);
  gpuErrchk(cudaPeekAtLastError());
  gpuErrchk(cudaGetLastError());
  gpuErrchk(cudaGetLastError());
  store<<<0, 32>>>(d, 0);
  gpuErrchk(cudaGetLastError());
  gpuErrchk(cudaMalloc(&d, (size_t)1 << 50));
  gpuErrchk(cudaMemcpy(NULL, d, 4, cudaMemcpyHostToDevice));
  gpuErrchk(cudaSetDevice(3));
  cudaGetLastError();
  store<<<1, 1>>>(nullptr, 5);
  gpuErrchk(cudaDeviceSynchronize());
  gpuErrchk(cudaMemset(d, 0, 4));
  gpuErrchk(cudaFree(d));
  return 0;
}
