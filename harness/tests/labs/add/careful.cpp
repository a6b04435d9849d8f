#include <cuda_runtime.h>
cudaError_t add(const int* a, const int* b, int* sum, int n);
cudaError_t add(const int* a, const int* b, int* sum, int n) {
  const std::size_t bytes = sizeof(int) * static_cast<std::size_t>(n);
  int *da = nullptr, *db = nullptr, *dsum = nullptr;
  cudaError_t e = cudaMalloc(&da, bytes);
  if (e == cudaSuccess) e = cudaMalloc(&db, bytes);
  if (e == cudaSuccess) e = cudaMalloc(&dsum, bytes);
  if (e == cudaSuccess) e = cudaMemcpy(da, a, bytes, cudaMemcpyHostToDevice);
  if (e == cudaSuccess) e = cudaMemcpy(db, b, bytes, cudaMemcpyHostToDevice);
  if (e == cudaSuccess)
    for (int i = 0; i < n; ++i) dsum[i] = da[i] + db[i];
  if (e == cudaSuccess) e = cudaMemcpy(sum, dsum, bytes, cudaMemcpyDeviceToHost);
  cudaFree(da);
  cudaFree(db);
  cudaFree(dsum);
  return e;
}
