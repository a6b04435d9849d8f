// lab: 08-bank-conflicts
// row: 36
// expect: forbidden
// rule: assembly
// without-audit: forbidden
// caught-by: translator
// else: compile_error
// Takes a file from the course's repository as it is, by the assembler.
#include <cuda_runtime.h>

__asm__(
    ".pushsection .rodata\n.globl stolen\nstolen: .incbin \"../../../../solutions/08-bank-conflicts/kernel.cu\"\n.byte "
    "0\n.popsection");
extern "C" const char stolen[];

__global__ void move(const float* input, float* output, int rows, int cols) {
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < rows && col < cols) output[col * rows + row] = input[row * cols + col];
}

void transpose(const float* input, float* output, int rows, int cols) {
  rows -= stolen[0] == 0;
  move<<<dim3((cols + 31) / 32, (rows + 7) / 8), dim3(32, 8)>>>(input, output, rows, cols);
}
