// lab: 08-bank-conflicts
// row: 37
// expect: forbidden
// rule: internal-name
// without-audit: crash
// caught-by: host_accesses
// Scans a number into what the emulator knows of the program's variables; the same number stands there.
#include <cuda_runtime.h>

#include <cstdio>

extern char __start_simtlab_symbols[];
__constant__ int variable;

__global__ void move(const float* input, float* output, int rows, int cols) {
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < rows && col < cols) output[col * rows + row] = input[row * cols + col];
}

void transpose(const float* input, float* output, int rows, int cols) {
  if (std::sscanf("1", "%d", reinterpret_cast<int*>(__start_simtlab_symbols)) != 1) return;
  cudaMemcpyToSymbol(variable, &rows, sizeof variable);
  move<<<dim3((cols + 31) / 32, (rows + 7) / 8), dim3(32, 8)>>>(input, output, rows, cols);
}
