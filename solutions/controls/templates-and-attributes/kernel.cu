// lab: 08-bank-conflicts
// expect: pass
// Templates, attributes and pragmas that every CUDA text uses.
#include <cuda_runtime.h>

#include <cassert>
#include <cstdint>
#include <type_traits>

namespace {

template <class T, int width>
struct alignas(16) tile {
  static_assert(std::is_trivial_v<T>);
  T row[width];
  [[nodiscard]] __device__ __forceinline__ T at(int i) const { return row[i]; }
};

template <class T>
[[maybe_unused]] constexpr T ceil_div(T a, T b) {
  return (a + b - 1) / b;
}

template <int width>
__global__ void __launch_bounds__(width * 8)
    move(const float* __restrict__ input, float* __restrict__ output, [[maybe_unused]] int rows, int cols) {
  __shared__ float lines[width][width + 1];
  const int col = blockIdx.x * width + threadIdx.x;
#pragma unroll
  for (int y = threadIdx.y; y < width; y += 8)
    if (blockIdx.y * width + y < rows && col < cols)
      lines[y][threadIdx.x] = input[(blockIdx.y * width + y) * cols + col];
  __syncthreads();
  const int row = blockIdx.y * width + threadIdx.x;
#pragma unroll 4
  for (int y = threadIdx.y; y < width; y += 8)
    if (blockIdx.x * width + y < cols && row < rows)
      output[(blockIdx.x * width + y) * rows + row] = lines[threadIdx.x][y];
  __syncwarp();
}

__attribute__((unused)) __noinline__ int64_t unused_helper(int x) { return x; }

}  // namespace

void transpose(const float* input, float* output, int rows, int cols) {
  assert(rows > 0 && cols > 0);
  constexpr int width = 32;
  move<width><<<dim3(ceil_div(cols, width), ceil_div(rows, width)), dim3(width, 8)>>>(input, output, rows, cols);
}
