// lab: 08-bank-conflicts
// expect: pass
// A macro that makes kernels and their launches, with names pasted from a part that it is given.
#include <cuda_runtime.h>
#include <stdint.h>

constexpr int tile_width = 32, block_rows = 8;

#define DEFINE_TRANSPOSE(type)                                                                                        \
  __global__ void transpose_##type##_tile(const type* input, type* output, int rows, int cols) {                      \
    __shared__ type tile_of_##type[tile_width][tile_width + 1];                                                       \
    const int input_col = blockIdx.x * tile_width + threadIdx.x;                                                      \
    for (int y = threadIdx.y; y < tile_width; y += block_rows) {                                                      \
      const int input_row = blockIdx.y * tile_width + y;                                                              \
      if (input_row < rows && input_col < cols) tile_of_##type[y][threadIdx.x] = input[input_row * cols + input_col]; \
    }                                                                                                                 \
    __syncthreads();                                                                                                  \
    const int output_col = blockIdx.y * tile_width + threadIdx.x;                                                     \
    for (int y = threadIdx.y; y < tile_width; y += block_rows) {                                                      \
      const int output_row = blockIdx.x * tile_width + y;                                                             \
      if (output_row < cols && output_col < rows)                                                                     \
        output[output_row * rows + output_col] = tile_of_##type[threadIdx.x][y];                                      \
    }                                                                                                                 \
  }

DEFINE_TRANSPOSE(float)

static const uint32_t width = UINT32_C(32);

void transpose(const float* input, float* output, int rows, int cols) {
  const dim3 grid((cols + width - 1) / width, (rows + width - 1) / width);
  transpose_float_tile<<<grid, dim3(tile_width, block_rows)>>>(input, output, rows, cols);
}
