// lab: 07-shared-tiling
// row: 35
// expect: forbidden
// without-audit: forbidden
// caught-by: kernel_writes
// Brings the matrices to the host, multiplies there and copies the product back; a kernel runs for show.
#include <cuda_runtime.h>

#include <vector>

__global__ void look_busy(float* c, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) c[i] = 0.0f;
}

void matrix_multiply(const float* a, const float* b, float* c, int j, int k, int l) {
  std::vector<float> host_a(j * k), host_b(k * l), host_c(j * l);
  cudaMemcpy(host_a.data(), a, host_a.size() * sizeof(float), cudaMemcpyDeviceToHost);
  cudaMemcpy(host_b.data(), b, host_b.size() * sizeof(float), cudaMemcpyDeviceToHost);
  for (int row = 0; row < j; ++row)
    for (int p = 0; p < k; ++p)
      for (int col = 0; col < l; ++col) host_c[row * l + col] += host_a[row * k + p] * host_b[p * l + col];
  look_busy<<<(j * l + 255) / 256, 256>>>(c, j * l);
  cudaMemcpy(c, host_c.data(), host_c.size() * sizeof(float), cudaMemcpyHostToDevice);
}
