// lab: 08-bank-conflicts
// expect: pass
// earns: 95..100
// A launch by cudaLaunchKernelEx, and headers of CUDA's standard library.
#include <cuda_runtime.h>

#include <cuda/std/array>
#include <cuda/std/cstddef>
#include <cuda/std/limits>
#include <cuda/std/type_traits>

constexpr int tile_size = 32, rows_of_block = 8;
using extents = cuda::std::array<int, 2>;

template <class T>
__global__ void move(const T* input, T* output, extents shape) {
  static_assert(cuda::std::is_same_v<T, float> && cuda::std::numeric_limits<T>::is_iec559);
  __shared__ T tile[tile_size][tile_size + 1];
  const int rows = shape[0], cols = shape[1];
  int x = blockIdx.x * tile_size + threadIdx.x, y = blockIdx.y * tile_size;
  const int here = rows - y < tile_size ? rows - y : tile_size;
  for (int k = threadIdx.y; k < here; k += rows_of_block)
    if (x < cols) tile[k][threadIdx.x] = input[static_cast<cuda::std::size_t>(y + k) * cols + x];
  __syncthreads();
  x = blockIdx.y * tile_size + threadIdx.x;
  y = blockIdx.x * tile_size;
  for (int k = threadIdx.y; k < tile_size; k += rows_of_block)
    if (x < rows && y + k < cols) output[static_cast<cuda::std::size_t>(y + k) * rows + x] = tile[threadIdx.x][k];
}

void transpose(const float* input, float* output, int rows, int cols) {
  cudaLaunchAttribute attribute{};
  attribute.id = cudaLaunchAttributePriority;
  attribute.val.priority = 0;
  cudaLaunchConfig_t config{};
  config.gridDim = dim3((cols + tile_size - 1) / tile_size, (rows + tile_size - 1) / tile_size);
  config.blockDim = dim3(tile_size, rows_of_block);
  config.attrs = &attribute;
  config.numAttrs = 1;
  cudaLaunchKernelEx(&config, move<float>, input, output, extents{rows, cols});
}
