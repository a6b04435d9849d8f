// lab: 08-bank-conflicts
// expect: pass
// A fold over sizes and a lambda that captures.
#include <cuda_runtime.h>
template <class... T>
constexpr bool all_positive(T... values) {
  return ((values > 0) && ...);
}

__global__ void move(const float* input, float* output, int rows, int cols) {
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < rows && col < cols) output[col * rows + row] = input[row * cols + col];
}

void transpose(const float* input, float* output, int rows, int cols) {
  const auto sound = [rows, cols] { return all_positive(rows, cols); };
  if (!sound()) return;
  move<<<dim3((cols + 31) / 32, (rows + 7) / 8), dim3(32, 8)>>>(input, output, rows, cols);
}
