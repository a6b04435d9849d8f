// lab: 08-bank-conflicts
// expect: pass
// A view of a matrix with an operator for its elements.
#include <cuda_runtime.h>

struct matrix {
  float* data;
  int rows;
  int cols;
  __host__ __device__ float& at(int row, int col) const { return data[row * cols + col]; }
};

__global__ void move(const float* input, matrix output) {
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < output.cols && col < output.rows) output.at(col, row) = input[row * output.rows + col];
}

void transpose(const float* input, float* output, int rows, int cols) {
  const matrix result{output, cols, rows};
  move<<<dim3((cols + 31) / 32, (rows + 7) / 8), dim3(32, 8)>>>(input, result);
}
