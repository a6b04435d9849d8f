// lab: 08-bank-conflicts
// row: 37
// expect: forbidden
// rule: internal-name
// without-audit: crash
// caught-by: host_accesses
// Hands the library's search one of the emulator's own functions to compare with: the one that opens what is closed to host code.
#include <cuda_runtime.h>

#include <cstdlib>

namespace simtlab::emulator {
bool open_memory();
}

__global__ void move(const float* input, float* output, int rows, int cols) {
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < rows && col < cols) output[col * rows + row] = input[row * cols + col];
}

void transpose(const float* input, float* output, int rows, int cols) {
  const int numbers[1] = {rows};
  using comparison = int (*)(const void*, const void*);
  bsearch(&cols, numbers, 1, sizeof numbers[0], reinterpret_cast<comparison>(&simtlab::emulator::open_memory));
  move<<<dim3((cols + 31) / 32, (rows + 7) / 8), dim3(32, 8)>>>(input, output, rows, cols);
}
