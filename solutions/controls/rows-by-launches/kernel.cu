// lab: 08-bank-conflicts
// expect: pass
// One launch for each 32 rows, whose numbers come by value, in a structure.
#include <cuda_runtime.h>

constexpr int side = 32;
struct part {
  const float* from;
  float* to;
  int rows, cols, height, first;
};

__global__ void turn(part p) {
  __shared__ float tile[side][side + 1];
  const int col = blockIdx.x * side;
  for (int y = threadIdx.y; y < side; y += 8)
    if (y < p.height && col + threadIdx.x < p.cols) tile[y][threadIdx.x] = p.from[y * p.cols + col + threadIdx.x];
  __syncthreads();
  for (int x = threadIdx.y; x < side; x += 8)
    if (threadIdx.x < p.height && col + x < p.cols) p.to[(col + x) * p.rows + threadIdx.x] = tile[threadIdx.x][x];
}

void transpose(const float* input, float* output, int rows, int cols) {
  for (int row = 0; row < rows; row += side) {
    const part p{input + row * cols, output + row, rows, cols, rows - row < side ? rows - row : side, row};
    turn<<<(cols + side - 1) / side, dim3(side, 8)>>>(p);
  }
}
