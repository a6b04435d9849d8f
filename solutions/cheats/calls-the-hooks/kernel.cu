// lab: 08-bank-conflicts
// row: 37
// expect: forbidden
// rule: internal-name
// caught-by: audit code-verifier
// Tells the emulator of accesses that never took place, all of them well coalesced.
#include <cuda_runtime.h>

extern "C" __device__ void __tsan_read4(void* address);

__global__ void move(const float* input, float* output, int rows, int cols) {
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows || col >= cols) return;
  for (int i = 0; i < 16; ++i) __tsan_read4(const_cast<float*>(&input[row * cols + col]));
  output[col * rows + row] = input[row * cols + col];
}

void transpose(const float* input, float* output, int rows, int cols) {
  move<<<dim3((cols + 31) / 32, (rows + 7) / 8), dim3(32, 8)>>>(input, output, rows, cols);
}
