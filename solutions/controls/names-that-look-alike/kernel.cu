// lab: 08-bank-conflicts
// expect: pass
// Variables, members and functions of its own whose names remind of the system's.
#include <cuda_runtime.h>

namespace pool {
struct worker {
  int fork = 1, exec = 2, socket = 3;
  int open() const { return fork + exec + socket; }
  int read(int bytes) const { return bytes; }
};
int system(int mode) { return mode; }
}  // namespace pool

__global__ void move(const float* input, float* output, int rows, int cols) {
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < rows && col < cols) output[col * rows + row] = input[row * cols + col];
}

void transpose(const float* input, float* output, int rows, int cols) {
  const pool::worker worker;
  int exit_code = worker.open() - worker.read(6) + pool::system(0);
  int signal = 0, environ_size = 0, asm_lines = 0, section = 0, alias = 0, weak = 0;
  if (exit_code + signal + environ_size + asm_lines + section + alias + weak != 0) return;
  move<<<dim3((cols + 31) / 32, (rows + 7) / 8), dim3(32, 8)>>>(input, output, rows, cols);
}
