// lab: 08-bank-conflicts
// expect: pass
// Global variables, functions and device variables whose names the C library has, too: plain words that anybody chooses.
#include <cuda_runtime.h>

int error = 0;
int times = 1, wait = 2, link[4] = {1, 2, 3, 4};
float warn(float x) { return x; }
int select(int a, int b) { return a < b ? a : b; }
inline int sync = 3;
__device__ int access;
__constant__ int err[2];

namespace lab {
int index, random, gamma, y0;
}

__global__ void move(const float* input, float* output, int rows, int cols) {
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row == 0 && col == 0) access = err[0];
  if (row < rows && col < cols) output[col * rows + row] = input[row * cols + col];
}

void transpose(const float* input, float* output, int rows, int cols) {
  error += select(times, wait) + link[0] + static_cast<int>(warn(1)) + sync + lab::index + lab::random + lab::gamma +
           lab::y0;
  if (error < 0) return;
  move<<<dim3((cols + 31) / 32, (rows + 7) / 8), dim3(32, 8)>>>(input, output, rows, cols);
}
