// lab: 08-bank-conflicts
// row: 40
// expect: forbidden
// rule: builtin
// Reads with an instruction that the compiler instruments for nobody, so that no load is counted, raced or bounded.
#include <cuda_runtime.h>

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
  const pair_of_pairs read = __builtin_ia32_loadlps(pair_of_pairs{}, (const two_floats*)(input + at));
  output[x * rows + y] = read[0];
}

void transpose(const float* input, float* output, int rows, int cols) {
  transpose_elements<<<dim3((cols + 31) / 32, (rows + 7) / 8), dim3(32, 8)>>>(input, output, rows, cols);
}
