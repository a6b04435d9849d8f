// What device code uses of CUDA's standard library.
#include <cuda_runtime.h>
#include <cuda/std/algorithm>
#include <cuda/std/array>
#include <cuda/std/cfloat>
#include <cuda/std/climits>
#include <cuda/std/cmath>
#include <cuda/std/cstddef>
#include <cuda/std/cstdint>
#include <cuda/std/functional>
#include <cuda/std/limits>
#include <cuda/std/span>
#include <cuda/std/type_traits>
#include <cuda/std/utility>
#include <cstdio>
template <class T, class Op>
__device__ T fold(cuda::std::span<const T> s, Op op, T start) {
  for (const T& x : s) start = op(start, x);
  return start;
}
__global__ void k(float* out, const float* in, int n, cuda::std::array<float, 4> by) {
  static_assert(cuda::std::is_same_v<cuda::std::remove_cvref_t<const float&>, float>);
  cuda::std::uint32_t i = threadIdx.x;
  float m = -cuda::std::numeric_limits<float>::infinity();
  for (cuda::std::size_t k = 0; k < by.size(); ++k) m = cuda::std::max(m, by[k]);
  auto p = cuda::std::make_pair(m, 2);
  cuda::std::swap(p.first, m);
  m = fold(cuda::std::span<const float>(in, n), cuda::std::plus<>(), m) + cuda::std::sqrt(4.0f) + cuda::std::abs(-1.5f);
  out[i] = cuda::std::clamp(m, 0.0f, cuda::std::numeric_limits<float>::max());
}
int main() {
  float *o, *in; cudaMalloc(&o, 128); cudaMalloc(&in, 128); cudaMemset(in, 0, 128);
  cuda::std::array<float, 4> a{1, 5, 3, 2};
  k<<<1, 32>>>(o, in, 32, a);
  float h[32]; cudaMemcpy(h, o, 128, cudaMemcpyDeviceToHost); printf("%g %d\n", h[0], (int)cuda::std::max(3, 4));
  cudaFree(o); cudaFree(in);
}
