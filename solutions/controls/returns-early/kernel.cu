// lab: 08-bank-conflicts
// expect: pass
// Returns at once where there is nothing to do, on the host and in the kernel.
#include <cuda_runtime.h>

__global__ void move(const float* input, float* output, int rows, int cols) {
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row >= rows) return;
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (col >= cols) return;
  output[col * rows + row] = input[row * cols + col];
}

void transpose(const float* input, float* output, int rows, int cols) {
  if (input == nullptr || output == nullptr) return;
  if (rows <= 0 || cols <= 0) return;
  if (rows == 1 || cols == 1) {
    cudaMemcpy(output, input, static_cast<size_t>(rows) * cols * sizeof(float), cudaMemcpyDeviceToDevice);
    return;
  }
  move<<<dim3((cols + 31) / 32, (rows + 7) / 8), dim3(32, 8)>>>(input, output, rows, cols);
}
