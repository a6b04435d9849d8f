// lab: 08-bank-conflicts
// row: 37
// expect: forbidden
// rule: internal-name
// without-audit: crash
// caught-by: host_accesses
// Looks for the runner's own variables above its frame.
#include <cuda_runtime.h>

__global__ void move(const float* input, float* output, int rows, int cols) {
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < rows && col < cols) output[col * rows + row] = input[row * cols + col];
}

__attribute__((noinline)) static volatile long* frames_above(int words) {
  return static_cast<volatile long*>(__builtin_frame_address(0)) + words;
}

void transpose(const float* input, float* output, int rows, int cols) {
  volatile long* above = frames_above(160);
  *above = *above;
  move<<<dim3((cols + 31) / 32, (rows + 7) / 8), dim3(32, 8)>>>(input, output, rows, cols);
}
