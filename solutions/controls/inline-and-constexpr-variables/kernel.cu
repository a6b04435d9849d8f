// lab: 08-bank-conflicts
// expect: pass
// Constants of C++17 in a namespace.
#include <cuda_runtime.h>
namespace shape {
inline constexpr int width = 32;
inline constexpr int height = 8;
static_assert(width * height <= 1024, "a block");
}  // namespace shape

__global__ void move(const float* input, float* output, int rows, int cols) {
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < rows && col < cols) output[col * rows + row] = input[row * cols + col];
}

void transpose(const float* input, float* output, int rows, int cols) {
  move<<<dim3((cols + 31) / 32, (rows + 7) / 8), dim3(32, 8)>>>(input, output, rows, cols);
}
