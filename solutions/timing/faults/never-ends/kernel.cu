// lab: 08-bank-conflicts
// expect: timeout
// A kernel that waits for what nobody writes.
#include <cuda_runtime.h>

__global__ void wait_for(const volatile int* flag) {
  while (*flag == 0) {
  }
}

void transpose(const float* input, float* output, int rows, int cols) {
  static int* flag = nullptr;
  if (flag == nullptr) {
    cudaMalloc(&flag, sizeof(int));
    cudaMemset(flag, 0, sizeof(int));
  }
  wait_for<<<1, 1>>>(flag);
}
