// lab: 08-bank-conflicts
// expect: pass
// Counts its calls in a thread-local variable of the host, which no kernel sees.
#include <cuda_runtime.h>

__global__ void move(const float* input, float* output, int rows, int cols) {
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < rows && col < cols) output[col * rows + row] = input[row * cols + col];
}

void transpose(const float* input, float* output, int rows, int cols) {
  thread_local int calls = 0;
  thread_local float* scratch = nullptr;
  thread_local size_t room = 0;
  const size_t bytes = static_cast<size_t>(rows) * cols * sizeof(float);
  if (bytes > room) {
    cudaFree(scratch);
    cudaMalloc(&scratch, bytes);
    room = bytes;
  }
  ++calls;
  cudaMemcpy(scratch, input, bytes, cudaMemcpyDeviceToDevice);
  move<<<dim3((cols + 31) / 32, (rows + 7) / 8), dim3(32, 8)>>>(scratch, output, rows, cols);
}
