// lab: 08-bank-conflicts
// expect: pass
// Tables with static storage, one of them computed before main from mathematics alone.
#include <cuda_runtime.h>

#include <cmath>

static const int block_rows[] = {8, 8, 16};
static const float pi = std::acos(-1.0f);
const dim3 block(32, block_rows[0]);
static float waves[4] = {std::sin(pi / 4), std::cos(pi / 4), std::exp(pi), std::pow(2.0f, pi)};

__global__ void move(const float* input, float* output, int rows, int cols) {
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < rows && col < cols) output[col * rows + row] = input[row * cols + col];
}

void transpose(const float* input, float* output, int rows, int cols) {
  if (waves[0] < 0.0f) return;
  move<<<dim3((cols + 31) / 32, (rows + 7) / 8), block>>>(input, output, rows, cols);
}
