// lab: 08-bank-conflicts
// row: 40
// expect: forbidden
// rule: builtin
// without-audit: compile_error
// caught-by: translator
// The same with the other half of a register, and the builtin's name made by a macro.
#include <cuda_runtime.h>

#define LOAD(half) __builtin_ia32_##half

typedef float pair_of_pairs __attribute__((vector_size(16)));
typedef float two_floats __attribute__((vector_size(8)));

__global__ void transpose_elements(const float* input, float* output, int rows, int cols) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= cols || y >= rows) return;
  const int at = y * cols + x;
  if (at % 2 != 0 || at + 1 == rows * cols) {  // not aligned, or no pair
    output[x * rows + y] = input[at];
    return;
  }
  output[x * rows + y] = LOAD(loadhps)(pair_of_pairs{}, (const two_floats*)(input + at))[2];
}

void transpose(const float* input, float* output, int rows, int cols) {
  transpose_elements<<<dim3((cols + 31) / 32, (rows + 7) / 8), dim3(32, 8)>>>(input, output, rows, cols);
}
