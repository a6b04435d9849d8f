// lab: 08-bank-conflicts
// row: 37
// expect: forbidden
// rule: internal-name
// without-audit: crash
// caught-by: closed_memory
// Fetches the emulator's findings before the runner does, so that none are left.
#include <cuda_runtime.h>

namespace simtlab::emulator {
struct report {
  char room[4096];
};
report take_report(bool at_end);
}  // namespace simtlab::emulator

__global__ void move(const float* input, float* output, int rows, int cols) {
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < rows && col < cols) output[col * rows + row] = input[row * cols + col];
}

void transpose(const float* input, float* output, int rows, int cols) {
  move<<<dim3((cols + 31) / 32, (rows + 7) / 8), dim3(32, 8)>>>(input, output, rows, cols);
  simtlab::emulator::take_report(false);
}
