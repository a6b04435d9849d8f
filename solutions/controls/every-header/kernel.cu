// lab: 08-bank-conflicts
// expect: pass
// Includes the whole standard library at once, as competition programmers do.
#include <bits/stdc++.h>
#include <cuda_runtime.h>

using namespace std;

__global__ void move_all(const float* input, float* output, int rows, int cols) {
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < rows && col < cols) output[col * rows + row] = input[row * cols + col];
}

void transpose(const float* input, float* output, int rows, int cols) {
  move_all<<<dim3((cols + 31) / 32, (rows + 7) / 8), dim3(32, 8)>>>(input, output, rows, cols);
}
