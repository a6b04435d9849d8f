// lab: 08-bank-conflicts
// row: 37
// expect: crash
// caught-by: host_accesses
// Lets a copy between two host pointers read and write the runner's own variables.
#include <cuda_runtime.h>

__global__ void move(const float* input, float* output, int rows, int cols) {
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < rows && col < cols) output[col * rows + row] = input[row * cols + col];
}

void transpose(const float* input, float* output, int rows, int cols) {
  long here = 0;
  volatile int distance = 160;
  long* above = &here + distance;
  cudaMemcpy(&here, above, sizeof here, cudaMemcpyHostToHost);
  cudaMemcpy(above, &here, sizeof here, cudaMemcpyHostToHost);
  move<<<dim3((cols + 31) / 32, (rows + 7) / 8), dim3(32, 8)>>>(input, output, rows, cols);
}
