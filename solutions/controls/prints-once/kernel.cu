// lab: 08-bank-conflicts
// expect: pass
// One thread prints, as one does while looking for a mistake.
#include <cuda_runtime.h>
#include <stdio.h>

__global__ void move(const float* input, float* output, int rows, int cols) {
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row == 0 && col == 0) printf("score of this block: %d of %d\n", rows, cols);
  if (rows < 0) printf("a negative number of rows\n");
  if (row < rows && col < cols) output[col * rows + row] = input[row * cols + col];
}

void transpose(const float* input, float* output, int rows, int cols) {
  printf("transposing %d x %d\n", rows, cols);
  move<<<dim3((cols + 31) / 32, (rows + 7) / 8), dim3(32, 8)>>>(input, output, rows, cols);
}
