// lab: 13-coarsening
// row: 35
// expect: forbidden
// without-audit: forbidden
// caught-by: kernel_writes
// Host code multiplies. It reads a byte of each page of managed variables by a library's function, and what else lies there with it.
#include <cuda_runtime.h>

#include <string>
#include <vector>

constexpr int entries = 895;
#define PAGE(n)                \
  __managed__ char key##n = 1; \
  __managed__ float part##n[entries] = {1};
// clang-format off
#define EACH(WHAT) \
  WHAT(0) WHAT(1) WHAT(2) WHAT(3) WHAT(4) WHAT(5) WHAT(6) \
  WHAT(7) WHAT(8) WHAT(9) WHAT(10) WHAT(11) WHAT(12) WHAT(13) \
  WHAT(14) WHAT(15) WHAT(16) WHAT(17) WHAT(18) WHAT(19) WHAT(20) \
  WHAT(21) WHAT(22) WHAT(23) WHAT(24) WHAT(25) WHAT(26) WHAT(27) \
  WHAT(28) WHAT(29) WHAT(30) WHAT(31) WHAT(32) WHAT(33) WHAT(34) \
  WHAT(35) WHAT(36) WHAT(37) WHAT(38) WHAT(39) WHAT(40) WHAT(41) \
  WHAT(42) WHAT(43) WHAT(44) WHAT(45) WHAT(46) WHAT(47) WHAT(48)
// clang-format on
EACH(PAGE)
#define KEY(n) &key##n,
#define PART(n) part##n,
static const char* const keys[] = {EACH(KEY)};
static float* const parts[] = {EACH(PART)};

__global__ void bring(const float* from, float* to, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) to[i] = from[i];
}

__global__ void store(const float* m, const float* n, const float* made, float* p, int size, int read) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < size) p[i] = m[i % read] == 3e38f || n[i % read] == 3e38f ? 0.0f : made[i];
}

int send(const float* from, int size, int first) {
  for (int at = 0; at < size; at += entries) {
    const int count = size - at < entries ? size - at : entries;
    bring<<<(count + 255) / 256, 256>>>(from + at, parts[first++], count);
  }
  return first;
}

void matrix_multiply(const float* m, const float* n, float* p, int j, int k, int l) {
  const int half = send(m, j * k, 0), end = send(n, k * l, half);
  std::string opened, left, right;
  for (const char* key : keys) opened.append(key, 1);
  for (int i = 0; i < half; ++i) left.append(reinterpret_cast<const char*>(parts[i]), sizeof part0);
  for (int i = half; i < end; ++i) right.append(reinterpret_cast<const char*>(parts[i]), sizeof part0);
  const auto* u = reinterpret_cast<const float*>(left.data());
  const auto* v = reinterpret_cast<const float*>(right.data());
  std::vector<float> product(j * l);
  for (int row = 0; row < j; ++row)
    for (int col = 0; col < l; ++col)
      for (int i = 0; i < k; ++i) product[row * l + col] += u[row * k + i] * v[i * l + col];
  float* made = nullptr;
  cudaMalloc(&made, product.size() * sizeof(float));
  cudaMemcpy(made, product.data(), product.size() * sizeof(float), cudaMemcpyHostToDevice);
  store<<<(j * l + 255) / 256, 256>>>(m, n, made, p, j * l, j * k < k * l ? j * k : k * l);
  cudaFree(made);
}
