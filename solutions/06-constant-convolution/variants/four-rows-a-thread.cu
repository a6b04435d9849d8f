// expect: correct=pass safe=pass fast=95..100
// Each thread computes four elements of a column: one weight read serves four multiply-adds.
#include <cuda_runtime.h>

constexpr int max_radius = 4;
constexpr int max_width = 2 * max_radius + 1;

__constant__ float weights[max_width * max_width];

__global__ void convolve_pixels(const float* input, float* output, int rows, int cols, int radius) {
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = 4 * (blockIdx.y * blockDim.y + threadIdx.y);

  const int width = 2 * radius + 1;
  float sum[4] = {};
  for (int y = 0; y < width; ++y) {
    for (int x = 0; x < width; ++x) {
      const float weight = weights[y * width + x];
      const int c = col + x - radius;
      for (int i = 0; i < 4; ++i) {
        const int r = row + i + y - radius;
        if (r >= 0 && r < rows && c >= 0 && c < cols) sum[i] += weight * input[r * cols + c];
      }
    }
  }

  for (int i = 0; i < 4; ++i) {
    if (row + i < rows && col < cols) output[(row + i) * cols + col] = sum[i];
  }
}

void convolve(const float* input, const float* filter, float* output, int rows, int cols, int radius) {
  const int width = 2 * radius + 1;
  cudaMemcpyToSymbol(weights, filter, width * width * sizeof(float), 0, cudaMemcpyDeviceToDevice);

  const dim3 block(32, 8);
  const dim3 grid((cols + block.x - 1) / block.x, (rows + 4 * block.y - 1) / (4 * block.y));
  convolve_pixels<<<grid, block>>>(input, output, rows, cols, radius);
}
