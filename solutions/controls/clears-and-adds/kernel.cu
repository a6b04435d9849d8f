// lab: 08-bank-conflicts
// expect: pass
// Clears the output first and adds to it, with atomics and shuffles.
#include <cuda_runtime.h>

__global__ void move(const float* input, float* output, int rows, int cols) {
  const int row = blockIdx.y;
  const int col = blockIdx.x * 32 + threadIdx.x;
  const float value = col < cols ? input[row * cols + col] : 0.0f;
  const float same = __shfl_sync(0xffffffffu, value, threadIdx.x);
  if (col < cols) atomicAdd(&output[col * rows + row], same);
}

void transpose(const float* input, float* output, int rows, int cols) {
  cudaMemset(output, 0, static_cast<size_t>(rows) * cols * sizeof(float));
  move<<<dim3((cols + 31) / 32, rows), 32>>>(input, output, rows, cols);
  cudaError_t error = cudaGetLastError();
  if (error != cudaSuccess) throw "the launch failed";
}
