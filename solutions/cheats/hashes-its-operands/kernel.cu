// lab: 07-shared-tiling
// row: 45
// expect: crash
// without-audit: crash
// caught-by: host_accesses
// A function of the C++ library, whose address the host passes along, mixes the 8 bytes at a pointer so that the kernel can
// undo it: so the library loads the operands, where nobody counts.
#include <cuda_runtime.h>
#include <functional>

typedef unsigned long (*hasher)(const void*, unsigned long, unsigned long);
namespace std {
unsigned long _Hash_bytes(const void*, unsigned long, unsigned long);
}

__device__ unsigned long inverse(unsigned long a) {
  unsigned long x = a;
  for (int i = 0; i < 6; ++i) x *= 2 - a * x;
  return x;
}
__device__ unsigned long unmix(unsigned long v) { return v ^ (v >> 47); }
__device__ float undo(unsigned long h, unsigned long inverted) {
  h = unmix(unmix(h) * inverted) * inverted;
  h ^= 8 * 0xc6a4a7935bd1e995UL;
  return __uint_as_float(static_cast<unsigned>(unmix(h * inverted) * inverted));
}

__global__ void multiply(const float* a, const float* b, float* c, int j, int k, int l, hasher hash) {
  const int row = blockIdx.y * 16 + threadIdx.y, col = blockIdx.x * 16 + threadIdx.x;
  float keep = 0;
  for (int q = 0; q < k; q += 16) {
    if (row < j && q + threadIdx.x < k) keep += a[row * k + q + threadIdx.x];
    if (q + threadIdx.y < k && col < l) keep += b[(q + threadIdx.y) * l + col];
  }
  const unsigned long inverted = inverse(0xc6a4a7935bd1e995UL);
  if (row >= j || col >= l) return;
  float sum = 0;
  for (int p = 0; p < k; ++p)
    sum += undo(hash(a + row * k + p, 8, 0), inverted) * undo(hash(b + p * l + col, 8, 0), inverted);
  c[row * l + col] = keep == 12345.678f ? 0 : sum;
}

void matrix_multiply(const float* a, const float* b, float* c, int j, int k, int l) {
  const dim3 block(16, 16), grid((l + 15) / 16, (j + 15) / 16);
  multiply<<<grid, block>>>(a, b, c, j, k, l, std::_Hash_bytes);
}
