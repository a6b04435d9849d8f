// expect: correct=pass safe=pass fast=95..100
// The next step: filter in constant memory, and the input with its halo in a shared tile.
#include <cuda_runtime.h>

constexpr int max_radius = 4;
constexpr int max_width = 2 * max_radius + 1;

__constant__ float weights[max_width * max_width];

constexpr int tile_width = 16;
constexpr int halo_width = tile_width + 2 * max_radius;

__global__ void convolve_pixels(const float* input, float* output, int rows, int cols, int radius) {
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = blockIdx.y * blockDim.y + threadIdx.y;

  const int width = 2 * radius + 1;
  __shared__ float tile[halo_width][halo_width];
  const int top = blockIdx.y * tile_width - radius;
  const int left = blockIdx.x * tile_width - radius;
  for (int y = threadIdx.y; y < tile_width + 2 * radius; y += tile_width) {
    for (int x = threadIdx.x; x < tile_width + 2 * radius; x += tile_width) {
      const int r = top + y, c = left + x;
      tile[y][x] = r >= 0 && r < rows && c >= 0 && c < cols ? input[r * cols + c] : 0.0f;
    }
  }
  __syncthreads();
  float sum = 0.0f;
  for (int y = 0; y < width; ++y) {
    for (int x = 0; x < width; ++x) {
      sum += weights[y * width + x] * tile[threadIdx.y + y][threadIdx.x + x];
    }
  }

  if (row < rows && col < cols) {
    output[row * cols + col] = sum;
  }
}

void convolve(const float* input, const float* filter, float* output, int rows, int cols, int radius) {
  const int width = 2 * radius + 1;
  cudaMemcpyToSymbol(weights, filter, width * width * sizeof(float), 0, cudaMemcpyDeviceToDevice);

  const dim3 block(tile_width, tile_width);
  const dim3 grid((cols + block.x - 1) / block.x, (rows + block.y - 1) / block.y);
  convolve_pixels<<<grid, block>>>(input, output, rows, cols, radius);
}
