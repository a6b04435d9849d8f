// lab: 08-bank-conflicts
// expect: pass
// Its own stream, events and timing.
#include <cuda_runtime.h>

#include <chrono>
#include <cstdio>

__global__ void move(const float* input, float* output, int rows, int cols) {
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < rows && col < cols) output[col * rows + row] = input[row * cols + col];
}

void transpose(const float* input, float* output, int rows, int cols) {
  const auto begin = std::chrono::steady_clock::now();
  cudaStream_t stream;
  cudaEvent_t started, stopped;
  cudaStreamCreate(&stream);
  cudaEventCreate(&started);
  cudaEventCreate(&stopped);
  cudaEventRecord(started, stream);
  move<<<dim3((cols + 31) / 32, (rows + 7) / 8), dim3(32, 8), 0, stream>>>(input, output, rows, cols);
  cudaEventRecord(stopped, stream);
  cudaEventSynchronize(stopped);
  float milliseconds = 0.0f;
  cudaEventElapsedTime(&milliseconds, started, stopped);
  const auto end = std::chrono::steady_clock::now();
  std::printf("time to score: %d\n", milliseconds >= 0.0f && end >= begin);
  cudaEventDestroy(started);
  cudaEventDestroy(stopped);
  cudaStreamDestroy(stream);
}
