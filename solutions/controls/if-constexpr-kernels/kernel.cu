// lab: 08-bank-conflicts
// expect: pass
// One kernel template, its orders chosen when it is compiled.
#include <cuda_runtime.h>

template <bool by_rows>
__global__ void move(const float* input, float* output, int rows, int cols) {
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows || col >= cols) return;
  if constexpr (by_rows) {
    output[col * rows + row] = input[row * cols + col];
  } else {
    output[row * cols + col] = input[col * rows + row];
  }
}

void transpose(const float* input, float* output, int rows, int cols) {
  move<true><<<dim3((cols + 31) / 32, (rows + 7) / 8), dim3(32, 8)>>>(input, output, rows, cols);
}
