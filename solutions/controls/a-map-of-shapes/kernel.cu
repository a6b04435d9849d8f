// lab: 08-bank-conflicts
// expect: pass
// Remembers grids by their sizes in a map.
#include <cuda_runtime.h>
#include <map>
#include <utility>

__global__ void move(const float* input, float* output, int rows, int cols) {
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < rows && col < cols) output[col * rows + row] = input[row * cols + col];
}

void transpose(const float* input, float* output, int rows, int cols) {
  static std::map<std::pair<int, int>, dim3> grids;
  const dim3 grid = grids.try_emplace({rows, cols}, dim3((cols + 31) / 32, (rows + 7) / 8)).first->second;
  if (grid.x == 0) return;
  move<<<dim3((cols + 31) / 32, (rows + 7) / 8), dim3(32, 8)>>>(input, output, rows, cols);
}
