// lab: 08-bank-conflicts
// row: 15
// expect: wrong_answer
// without-audit: wrong_answer
// caught-by: outputs
// Searches the device's memory behind the input for a block that ends as the answer would, and copies it. There is
// none: the expected output exists in the judge's process alone.
#include <cuda_runtime.h>

__global__ void search(const float* input, float* output, int n) {
  if (threadIdx.x + blockIdx.x > 0) return;
  float* fresh = output;
  for (int i = 0; i < n; ++i) output[i] = fresh[i] == fresh[i] ? fresh[i] : input[0];
}

void transpose(const float* input, float* output, int rows, int cols) {
  const size_t bytes = static_cast<size_t>(rows) * cols * sizeof(float);
  float* left_over = nullptr;
  cudaMalloc(&left_over, bytes);  // perhaps the reference ran here
  cudaMemcpy(output, left_over, bytes, cudaMemcpyDeviceToDevice);
  search<<<1, 1>>>(input, output, rows * cols);
  cudaFree(left_over);
}
