// Right as long as nothing fails; looks at no error of the first calls and leaks on the way out of the last.
#include <cuda_runtime.h>
cudaError_t add(const int* a, const int* b, int* sum, int n);
cudaError_t add(const int* a, const int* b, int* sum, int n) {
  const std::size_t bytes = sizeof(int) * static_cast<std::size_t>(n);
  int *da = nullptr, *db = nullptr, *dsum = nullptr;
  if (cudaMalloc(&da, bytes) != cudaSuccess) return cudaSuccess;
  if (cudaMalloc(&db, bytes) != cudaSuccess) return cudaErrorInvalidValue;
  cudaMalloc(&dsum, bytes);
  cudaMemcpy(da, a, bytes, cudaMemcpyHostToDevice);
  cudaMemcpy(db, b, bytes, cudaMemcpyHostToDevice);
  for (int i = 0; i < n; ++i) dsum[i] = da[i] + db[i];
  if (const cudaError_t e = cudaMemcpy(sum, dsum, bytes, cudaMemcpyDeviceToHost); e != cudaSuccess) return e;
  cudaFree(da);
  cudaFree(db);
  cudaFree(dsum);
  return cudaSuccess;
}
