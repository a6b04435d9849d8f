// lab: 08-bank-conflicts
// expect: pass
// Sizes in an optional, the way of launching in a variant.
#include <cuda_runtime.h>
#include <optional>
#include <variant>

__global__ void move(const float* input, float* output, int rows, int cols) {
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < rows && col < cols) output[col * rows + row] = input[row * cols + col];
}

void transpose(const float* input, float* output, int rows, int cols) {
  const std::optional<int> width = cols > 0 ? std::optional(cols) : std::nullopt;
  const std::variant<int, float> kind = 1;
  if (!width || std::get<int>(kind) != 1) return;
  move<<<dim3((cols + 31) / 32, (rows + 7) / 8), dim3(32, 8)>>>(input, output, rows, cols);
}
