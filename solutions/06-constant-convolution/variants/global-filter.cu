// expect: correct=pass safe=pass fast=15..30
// The filter stays in global memory.
// Without the topic: 62 of 100 points.
#include <cuda_runtime.h>

__global__ void convolve_pixels(const float* input, const float* filter, float* output, int rows, int cols,
                                int radius) {
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = blockIdx.y * blockDim.y + threadIdx.y;

  const int width = 2 * radius + 1;
  float sum = 0.0f;
  for (int y = 0; y < width; ++y) {
    for (int x = 0; x < width; ++x) {
      const int r = row + y - radius;
      const int c = col + x - radius;
      if (r >= 0 && r < rows && c >= 0 && c < cols) {
        sum += filter[y * width + x] * input[r * cols + c];
      }
    }
  }

  if (row < rows && col < cols) {
    output[row * cols + col] = sum;
  }
}

void convolve(const float* input, const float* filter, float* output, int rows, int cols, int radius) {
  const dim3 block(32, 8);
  const dim3 grid((cols + block.x - 1) / block.x, (rows + block.y - 1) / block.y);
  convolve_pixels<<<grid, block>>>(input, filter, output, rows, cols, radius);
}
