// expect: correct=pass safe=pass fast=95..100
// The block's part of the input with its halo comes into shared memory first, as much at a time as fits; all threads of the
// block load, and all compute.
#include <cuda_runtime.h>

constexpr int tile_width = 64, tile_height = 8, threads = 256;

extern __shared__ unsigned char tile[];

__global__ void blur_tile(const unsigned char* input, unsigned char* output, int width, int height, int channels,
                          int radius) {
  const int row_bytes = width * channels, halo = radius * channels, columns = tile_width + 2 * halo;
  const int left = blockIdx.x * tile_width - halo, top = blockIdx.y * tile_height - radius;
  const int lane = threadIdx.x % tile_width, first = threadIdx.x / tile_width;
  for (int y = first; y < tile_height + 2 * radius; y += threads / tile_width) {
    for (int x = lane; x < columns; x += tile_width) {
      const int r = top + y, c = left + x;
      tile[y * columns + x] = r >= 0 && r < height && c >= 0 && c < row_bytes ? input[r * row_bytes + c] : 0;
    }
  }
  __syncthreads();
  for (int y = first; y < tile_height; y += threads / tile_width) {
    const int row = blockIdx.y * tile_height + y, col = blockIdx.x * tile_width + lane, x = col / channels;
    if (row >= height || col >= row_bytes) continue;
    int sum = 0;
    for (int dy = 0; dy <= 2 * radius; ++dy)
      for (int dx = 0; dx <= 2 * radius; ++dx) sum += tile[(y + dy) * columns + lane + dx * channels];
    const int pixels = (min(row + radius, height - 1) - max(row - radius, 0) + 1) *
                       (min(x + radius, width - 1) - max(x - radius, 0) + 1);
    output[row * row_bytes + col] = (sum + pixels / 2) / pixels;
  }
}

void blur(const unsigned char* input, unsigned char* output, int width, int height, int channels, int radius) {
  const dim3 grid((width * channels + tile_width - 1) / tile_width, (height + tile_height - 1) / tile_height);
  const int bytes = (tile_width + 2 * radius * channels) * (tile_height + 2 * radius);
  blur_tile<<<grid, threads, bytes>>>(input, output, width, height, channels, radius);
}
