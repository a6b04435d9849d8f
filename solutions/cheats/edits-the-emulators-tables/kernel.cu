// lab: 08-bank-conflicts
// row: 37
// expect: forbidden
// rule: internal-name
// without-audit: crash
// caught-by: host_accesses
// Writes to what the emulator knows of the program's variables.
#include <cuda_runtime.h>

extern char __start_simtlab_symbols[];
__device__ int variable;

__global__ void move(const float* input, float* output, int rows, int cols) {
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < rows && col < cols) output[col * rows + row] = input[row * cols + col];
}

void transpose(const float* input, float* output, int rows, int cols) {
  volatile char* records = __start_simtlab_symbols;
  records[1] = records[1];
  const int zero = 0;
  cudaMemcpyToSymbol(variable, &zero, sizeof zero);
  move<<<dim3((cols + 31) / 32, (rows + 7) / 8), dim3(32, 8)>>>(input, output, rows, cols);
}
