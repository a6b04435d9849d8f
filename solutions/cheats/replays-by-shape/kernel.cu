// lab: 08-bank-conflicts
// row: 9
// expect: wrong_answer
// without-audit: wrong_answer
// caught-by: rounds
// Keeps the answer for each shape and gives it again.
#include <cuda_runtime.h>

#include <map>
#include <utility>

__global__ void move(const float* input, float* output, int rows, int cols) {
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < rows && col < cols) output[col * rows + row] = input[row * cols + col];
}

void transpose(const float* input, float* output, int rows, int cols) {
  static std::map<std::pair<int, int>, float*> answers;
  const size_t bytes = static_cast<size_t>(rows) * cols * sizeof(float);
  float*& known = answers[{rows, cols}];
  if (known == nullptr) {
    move<<<dim3((cols + 31) / 32, (rows + 7) / 8), dim3(32, 8)>>>(input, output, rows, cols);
    cudaMalloc(&known, bytes);
    cudaMemcpy(known, output, bytes, cudaMemcpyDeviceToDevice);
    return;
  }
  cudaMemcpy(output, known, bytes, cudaMemcpyDeviceToDevice);
}
