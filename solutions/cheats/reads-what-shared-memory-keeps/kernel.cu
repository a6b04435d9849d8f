// lab: 07-shared-tiling
// row: 35
// expect: wrong_answer
// without-audit: wrong_answer
// caught-by: host_accesses kernel_writes
// Kernels of one block leave pieces of the operands in shared memory, and its address in the device's, eight bytes that the host
// may copy. There host code reads the pieces and multiplies; a kernel that reads the arguments, too, stores its product.
#include <cuda_runtime.h>

#include <algorithm>
#include <vector>

constexpr int most = 8192;

__global__ void leave(const float* from, int count, const float** where) {
  __shared__ float piece[most];
  for (int i = threadIdx.x; i < count; i += blockDim.x) piece[i] = from[i];
  __syncthreads();
  if (threadIdx.x == 0) *where = piece;
}

__global__ void bring(const float* product, const float* a, const float* b, float* c, int n, int all_a, int all_b) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float none = 0;
  for (int at = i; at < all_a; at += gridDim.x * blockDim.x) none += a[at] == 1e30f;
  for (int at = i; at < all_b; at += gridDim.x * blockDim.x) none += b[at] == 1e30f;
  if (i < n) c[i] = product[i] + none;
}

std::vector<float> read(const float* from, int count, const float** where, const float*& place) {
  std::vector<float> all(count);
  for (int at = 0; at < count; at += most) {
    const int here = std::min(count - at, most);
    leave<<<1, 256>>>(from + at, here, where);
    if (place == nullptr) cudaMemcpy(&place, where, sizeof place, cudaMemcpyDeviceToHost);
    std::copy(place, place + here, all.begin() + at);
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
  const float** where = nullptr;
  const float* place = nullptr;
  cudaMalloc(&where, sizeof place);
  const std::vector<float> left = read(a, j * k, where, place), right = read(b, k * l, where, place);
  const std::vector<float> product = product_of(left.data(), right.data(), j, k, l);
  float* x = nullptr;
  cudaMalloc(&x, j * l * sizeof(float));
  cudaMemcpy(x, product.data(), j * l * sizeof(float), cudaMemcpyHostToDevice);
  bring<<<(j * l + 255) / 256, 256>>>(x, a, b, c, j * l, j * k, k * l);
  cudaFree(x);
  cudaFree(where);
}
