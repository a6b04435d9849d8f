// lab: 08-bank-conflicts
// row: 42
// expect: compiler_limit
// A dozen lines of macros are a million signs: the audit must end, and beside it others are graded.
#include <cuda_runtime.h>
#define A \
  ;       \
  ;       \
  ;       \
  ;       \
  ;       \
  ;       \
  ;       \
  ;       \
  ;       \
  ;       \
  ;       \
  ;       \
  ;       \
  ;       \
  ;       \
  ;
#define B A A A A A A A A A A A A A A A A
#define C B B B B B B B B B B B B B B B B
#define D C C C C C C C C C C C C C C C C
#define E D D D D D D D D D
E

    __global__ void
    move(const float* input, float* output, int rows, int cols) {
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < rows && col < cols) output[col * rows + row] = input[row * cols + col];
}

void transpose(const float* input, float* output, int rows, int cols) {
  move<<<dim3((cols + 31) / 32, (rows + 7) / 8), dim3(32, 8)>>>(input, output, rows, cols);
}
