// lab: 08-bank-conflicts
// row: 43
// expect: forbidden
// rule: directive
// without-audit: compile_error
// caught-by: translator
// Puts together the word that asks for files, so that nobody reads it.
#include <cuda_runtime.h>
#define JOIN(a, b) a##b
#if JOIN(__has_incl, ude)(<unistd.h>)
constexpr bool there = true;
#else
constexpr bool there = false;
#endif

__global__ void move(const float* input, float* output, int rows, int cols) {
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < rows && col < cols) output[col * rows + row] = input[row * cols + col];
}

void transpose(const float* input, float* output, int rows, int cols) {
  if (!there) return;
  move<<<dim3((cols + 31) / 32, (rows + 7) / 8), dim3(32, 8)>>>(input, output, rows, cols);
}
