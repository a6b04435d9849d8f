#include <cuda_runtime.h>
cudaError_t add(const int* a, const int* b, int* sum, int n);
cudaError_t add(const int* a, const int* b, int* sum, int n) {
  for (int i = 0; i < n; ++i) sum[i] = a[i] + b[i];
  const_cast<int*>(b)[n - 1] = 1000;
  return cudaSuccess;
}
