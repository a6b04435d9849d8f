// lab: 08-bank-conflicts
// expect: pass
// Names its matrix by a string view and finds the larger side.
#include <cuda_runtime.h>
#include <algorithm>
#include <string_view>

__global__ void move(const float* input, float* output, int rows, int cols) {
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < rows && col < cols) output[col * rows + row] = input[row * cols + col];
}

void transpose(const float* input, float* output, int rows, int cols) {
  constexpr std::string_view name = "transpose";
  if (name.empty() || std::max({rows, cols}) < 1) return;
  move<<<dim3((cols + 31) / 32, (rows + 7) / 8), dim3(32, 8)>>>(input, output, rows, cols);
}
