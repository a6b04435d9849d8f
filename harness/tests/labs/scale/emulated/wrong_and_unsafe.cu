// Wrong from the second call on, and reads beyond the end of the input in each.
#include <cuda_runtime.h>

void scale(const float* input, float* output, int rows, int cols);

__global__ void multiply(const float* input, float* output, int n, int more) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const float value = i <= n ? input[i] : 0;
  if (i < n) output[i] = 2 * value + more * (i % 3);
}

void scale(const float* input, float* output, int rows, int cols) {
  static int calls = 0;
  const int n = rows * cols;
  multiply<<<n / 128 + 1, 128>>>(input, output, n, calls++);
}
