#include <cuda_runtime.h>
cudaError_t add(const int* a, const int* b, int* sum, int n);
cudaError_t add(const int* a, const int* b, int* sum, int n) {
  const std::size_t bytes = sizeof(int) * static_cast<std::size_t>(n);
  const int* const inputs[] = {a, b};
  int* device[3] = {};
  cudaError_t e = cudaSuccess;
  for (int*& p : device)
    if (e == cudaSuccess) e = cudaMalloc(&p, bytes);
  for (int i = 0; e == cudaSuccess && i < 2; ++i) e = cudaMemcpy(device[i], inputs[i], bytes, cudaMemcpyHostToDevice);
  for (int i = 0; e == cudaSuccess && i < n; ++i) device[2][i] = device[0][i] + device[1][i];
  if (e == cudaSuccess) e = cudaMemcpy(sum, device[2], bytes, cudaMemcpyDeviceToHost);
  for (int* p : device) cudaFree(p);
  return e;
}
