// lab: 08-bank-conflicts
// expect: pass
// A pair of sizes taken apart, an if with its own variable.
#include <cuda_runtime.h>
#include <utility>

__global__ void move(const float* input, float* output, int rows, int cols) {
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < rows && col < cols) output[col * rows + row] = input[row * cols + col];
}

void transpose(const float* input, float* output, int rows, int cols) {
  const auto [height, width] = std::pair(rows, cols);
  if (const int cells = height * width; cells == 0) return;
  move<<<dim3((cols + 31) / 32, (rows + 7) / 8), dim3(32, 8)>>>(input, output, rows, cols);
}
