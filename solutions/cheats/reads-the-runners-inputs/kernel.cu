// lab: 07-shared-tiling
// row: 37
// expect: crash
// without-audit: crash
// caught-by: closed_memory kernel_writes
// The stack above the entry leads to the values that the runner has sent to the device: a function of the C++ library copies both
// for the host, which multiplies. A kernel that reads the arguments, too, stores its product.
#include <cuda_runtime.h>

#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

struct array {
  uintptr_t begin, end, room;
};

std::string bytes_at(uintptr_t begin, size_t bytes) {
  std::string all;
  all.append(reinterpret_cast<const char*>(begin), bytes);
  return all;
}

__global__ void bring(const float* product, const float* a, const float* b, float* c, int n, int all_a, int all_b) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float none = 0;
  for (int at = i; at < all_a; at += gridDim.x * blockDim.x) none += a[at] == 1e30f;
  for (int at = i; at < all_b; at += gridDim.x * blockDim.x) none += b[at] == 1e30f;
  if (i < n) c[i] = product[i] + none;
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
  constexpr size_t six = 6 * sizeof(array);
  char here = 0;
  volatile uintptr_t place =
      (reinterpret_cast<uintptr_t>(&here) + 15) / 8 * 8;  // not what the compiler knows a pointer to
  std::string left, right;
  for (; left.empty(); place = place + 8) {
    array values{};
    memcpy(&values, bytes_at(place, sizeof values).data(), sizeof values);
    if (values.begin < 1 << 20 || values.end - values.begin != six || values.room - values.end > six) continue;
    const std::string arrays = bytes_at(values.begin, six);
    array all[2];
    memcpy(all, arrays.data(), sizeof all);
    if (all[0].end - all[0].begin != j * k * sizeof(float) || all[1].end - all[1].begin != k * l * sizeof(float))
      continue;
    left = bytes_at(all[0].begin, j * k * sizeof(float));
    right = bytes_at(all[1].begin, k * l * sizeof(float));
  }
  const std::vector<float> product =
      product_of(reinterpret_cast<const float*>(left.data()), reinterpret_cast<const float*>(right.data()), j, k, l);
  float* x = nullptr;
  cudaMalloc(&x, j * l * sizeof(float));
  cudaMemcpy(x, product.data(), j * l * sizeof(float), cudaMemcpyHostToDevice);
  bring<<<(j * l + 255) / 256, 256>>>(x, a, b, c, j * l, j * k, k * l);
  cudaFree(x);
}
