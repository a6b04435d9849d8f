// lab: 08-bank-conflicts
// expect: pass
// Keeps what it launches in a vector of structs, sorted.
#include <cuda_runtime.h>
#include <algorithm>
#include <vector>
struct step {
  int first;
  int count;
};

__global__ void move(const float* input, float* output, int rows, int cols) {
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < rows && col < cols) output[col * rows + row] = input[row * cols + col];
}

void transpose(const float* input, float* output, int rows, int cols) {
  std::vector<step> plan{{0, rows}, {0, 0}};
  std::sort(plan.begin(), plan.end(), [](const step& a, const step& b) { return a.count > b.count; });
  if (plan.front().count != rows) return;
  move<<<dim3((cols + 31) / 32, (rows + 7) / 8), dim3(32, 8)>>>(input, output, rows, cols);
}
