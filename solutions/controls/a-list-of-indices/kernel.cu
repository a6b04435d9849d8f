// lab: 01-vector-add
// expect: pass
#include <cuda_runtime.h>

__global__ void add_listed(const float* a, const float* b, float* c, const int* list, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    const int at = list[i];
    c[at] = a[at] + b[at];
  }
}
cudaError_t vector_add(const float* a, const float* b, float* c, int n) {
  const size_t bytes = static_cast<size_t>(n) * sizeof(float);
  int* list = new int[n];
  for (int i = 0; i < n; ++i) list[i] = i;
  float *da = nullptr, *db = nullptr, *dc = nullptr;
  int* dl = nullptr;
  cudaError_t status = cudaMalloc(&da, bytes);
  if (status == cudaSuccess) status = cudaMalloc(&db, bytes);
  if (status == cudaSuccess) status = cudaMalloc(&dc, bytes);
  if (status == cudaSuccess) status = cudaMalloc(&dl, n * sizeof(int));
  if (status == cudaSuccess) status = cudaMemcpy(da, a, bytes, cudaMemcpyHostToDevice);
  if (status == cudaSuccess) status = cudaMemcpy(db, b, bytes, cudaMemcpyHostToDevice);
  if (status == cudaSuccess) status = cudaMemcpy(dl, list, n * sizeof(int), cudaMemcpyHostToDevice);
  if (status == cudaSuccess) {
    add_listed<<<(n + 255) / 256, 256>>>(da, db, dc, dl, n);
    status = cudaGetLastError();
  }
  if (status == cudaSuccess) status = cudaMemcpy(c, dc, bytes, cudaMemcpyDeviceToHost);
  cudaFree(da);
  cudaFree(db);
  cudaFree(dc);
  cudaFree(dl);
  delete[] list;
  return status;
}
