// lab: 07-shared-tiling
// row: 35
// expect: forbidden
// without-audit: forbidden
// caught-by: kernel_writes
// As reads-managed-memory-by-the-library, from managed variables.
#include <cuda_runtime.h>
#include <string>
#include <vector>

constexpr int most = 1 << 18;
__managed__ float x[most], y[most];

__global__ void bring(const float* from, float* to, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) to[i] = from[i];
}

void matrix_multiply(const float* a, const float* b, float* c, int j, int k, int l) {
  float* z = nullptr;
  cudaMalloc(&z, j * l * sizeof(float));
  bring<<<(j * k + 255) / 256, 256>>>(a, x, j * k);
  bring<<<(k * l + 255) / 256, 256>>>(b, y, k * l);
  cudaDeviceSynchronize();
  std::string left, right;
  left.append(reinterpret_cast<const char*>(x), sizeof(float) * j * k);
  right.append(reinterpret_cast<const char*>(y), sizeof(float) * k * l);
  const float* u = reinterpret_cast<const float*>(left.data());
  const float* v = reinterpret_cast<const float*>(right.data());
  std::vector<float> product(j * l);
  for (int row = 0; row < j; ++row)
    for (int col = 0; col < l; ++col) {
      float sum = 0;
      for (int p = 0; p < k; ++p) sum += u[row * k + p] * v[p * l + col];
      product[row * l + col] = sum;
    }
  cudaMemcpy(z, product.data(), j * l * sizeof(float), cudaMemcpyHostToDevice);
  bring<<<(j * l + 255) / 256, 256>>>(z, c, j * l);
  cudaFree(z);
}
