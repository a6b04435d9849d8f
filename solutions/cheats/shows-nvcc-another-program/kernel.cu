// lab: 08-bank-conflicts
// row: 38
// expect: compile_error
// else: compile_error
// nvcc reads an array of constant size, by macros that nvcc alone defines; g++ compiles one whose size the kernel gets.
#include <cuda_runtime.h>

#if defined(__CUDA_ARCH_LIST__) || defined(__STRICT_ANSI__) || defined(CUDART_DEVICE) || __CUDACC_VER_BUILD__ > 0
#define SIZE 8
#else
#define SIZE count
#endif

__global__ void move(const float* input, float* output, int rows, int cols, int count) {
  float values[SIZE];
  const int col = blockIdx.x * 32 + threadIdx.x;
  for (int i = 0; i < count; ++i) {
    const int row = (blockIdx.y * count + i) * 8 + threadIdx.y;
    if (row < rows && col < cols) values[i] = input[row * cols + col];
  }
  for (int i = 0; i < count; ++i) {
    const int row = (blockIdx.y * count + i) * 8 + threadIdx.y;
    if (row < rows && col < cols) output[col * rows + row] = values[i];
  }
}

void transpose(const float* input, float* output, int rows, int cols) {
  move<<<dim3((cols + 31) / 32, (rows + 31) / 32), dim3(32, 8)>>>(input, output, rows, cols, 4);
}
