// lab: 08-bank-conflicts
// expect: pass
// Comments in German, names with Greek letters. Größe, Übung, 转置.
#include <cuda_runtime.h>

__global__ void move(const float* input, float* output, int rows, int cols) {
  const int zeile = blockIdx.y * blockDim.y + threadIdx.y;
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (zeile < rows && col < cols) output[col * rows + zeile] = input[zeile * cols + col];
}

void transpose(const float* input, float* output, int rows, int cols) {
  move<<<dim3((cols + 31) / 32, (rows + 7) / 8), dim3(32, 8)>>>(input, output, rows, cols);
}
// Größe λ
