// lab: 08-bank-conflicts
// row: 8
// expect: wrong_answer
// without-audit: wrong_answer
// caught-by: rounds
// Computes once, and answers every later call with what then lay behind the first call's pointer.
#include <cuda_runtime.h>

__global__ void move(const float* input, float* output, int rows, int cols) {
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < rows && col < cols) output[col * rows + row] = input[row * cols + col];
}

void transpose(const float* input, float* output, int rows, int cols) {
  static float* kept = nullptr;
  const size_t bytes = static_cast<size_t>(rows) * cols * sizeof(float);
  if (kept == nullptr) {
    move<<<dim3((cols + 31) / 32, (rows + 7) / 8), dim3(32, 8)>>>(input, output, rows, cols);
    cudaMalloc(&kept, bytes);
    cudaMemcpy(kept, output, bytes, cudaMemcpyDeviceToDevice);
  } else {
    cudaMemcpy(output, kept, bytes, cudaMemcpyDeviceToDevice);
  }
}
