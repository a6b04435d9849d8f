// lab: 08-bank-conflicts
// expect: pass
// A structure of 4,080 bytes by value as a kernel's parameter: legal since the first CUDA.
#include <cuda_runtime.h>

struct plan {
  int rows, cols;
  int unused[1018];
};

__global__ void move(const float* input, float* output, plan p) {
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < p.rows && col < p.cols) output[col * p.rows + row] = input[row * p.cols + col];
}

void transpose(const float* input, float* output, int rows, int cols) {
  plan p{rows, cols, {}};
  move<<<dim3((cols + 31) / 32, (rows + 7) / 8), dim3(32, 8)>>>(input, output, p);
}
