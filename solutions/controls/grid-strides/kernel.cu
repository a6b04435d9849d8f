// lab: 08-bank-conflicts
// expect: pass
// Few blocks, each thread strides over the matrix.
#include <cuda_runtime.h>

__global__ void move(const float* input, float* output, int rows, int cols) {
  const int threads = gridDim.x * blockDim.x;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < rows * cols; i += threads) {
    output[i % cols * rows + i / cols] = input[i];
  }
}

void transpose(const float* input, float* output, int rows, int cols) { move<<<64, 256>>>(input, output, rows, cols); }
