// lab: 08-bank-conflicts
// expect: pass
// Two earlier attempts stay in the file, one in comments, one switched off.
#include <cuda_runtime.h>
/*
__global__ void slow(float* x) { asm("bar.sync 0;"); }
*/
#if 0
#include <unistd.h>
void broken( { fork(); }
#endif

__global__ void move(const float* input, float* output, int rows, int cols) {
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < rows && col < cols) output[col * rows + row] = input[row * cols + col];
}

void transpose(const float* input, float* output, int rows, int cols) {
  move<<<dim3((cols + 31) / 32, (rows + 7) / 8), dim3(32, 8)>>>(input, output, rows, cols);
}
