// lab: 07-shared-tiling
// row: 35
// expect: forbidden
// without-audit: forbidden
// caught-by: kernel_writes
// Copies inside the device bring the operands to constant memory, piece by piece, where a function of the C++ library copies them
// from. The host multiplies, and a kernel that reads the arguments, too, stores its product.
#include <cuda_runtime.h>

#include <algorithm>
#include <string>
#include <vector>

__constant__ float piece[8192];

__global__ void bring(const float* product, const float* a, const float* b, float* c, int n, int all_a, int all_b) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float none = 0;
  for (int at = i; at < all_a; at += gridDim.x * blockDim.x) none += a[at] == 1e30f;
  for (int at = i; at < all_b; at += gridDim.x * blockDim.x) none += b[at] == 1e30f;
  if (i < n) c[i] = product[i] + none;
}

std::string read_by_the_library(const float* from, int count) {
  std::string all;
  for (int at = 0; at < count; at += 8192) {
    const size_t bytes = std::min(count - at, 8192) * sizeof(float);
    cudaMemcpyToSymbol(piece, from + at, bytes, 0, cudaMemcpyDeviceToDevice);
    all.append(reinterpret_cast<const char*>(piece), bytes);
  }
  return all;
}

std::vector<float> product_of(const float* u, const float* v, int j, int k, int l) {
  std::vector<float> product(j * l);
  for (int row = 0; row < j; ++row)
    for (int col = 0; col < l; ++col) {
      float sum = 0;
      for (int p = 0; p < k; ++p) sum += u[row * k + p] * v[p * l + col];
      product[row * l + col] = sum;
    }
  return product;
}

void matrix_multiply(const float* a, const float* b, float* c, int j, int k, int l) {
  const std::string left = read_by_the_library(a, j * k), right = read_by_the_library(b, k * l);
  const std::vector<float> product =
      product_of(reinterpret_cast<const float*>(left.data()), reinterpret_cast<const float*>(right.data()), j, k, l);
  float* x = nullptr;
  cudaMalloc(&x, j * l * sizeof(float));
  cudaMemcpy(x, product.data(), j * l * sizeof(float), cudaMemcpyHostToDevice);
  bring<<<(j * l + 255) / 256, 256>>>(x, a, b, c, j * l, j * k, k * l);
  cudaFree(x);
}
