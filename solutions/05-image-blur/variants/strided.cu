// expect: correct=pass safe=pass fast=15..30
// x runs along the rows: neighbouring lanes are a whole row apart, and each of their bytes lies in a sector of its own.
// Without the topic: 63 of 100 points.
#include <cuda_runtime.h>

__global__ void blur_bytes(const unsigned char* input, unsigned char* output, int width, int height, int channels,
                           int radius) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  const int col = blockIdx.y * blockDim.y + threadIdx.y;
  const int row_bytes = width * channels;
  int sum = 0, pixels = 0;
  for (int dy = -radius; dy <= radius; ++dy) {
    for (int dx = -radius; dx <= radius; ++dx) {
      const int r = row + dy;
      const int c = col + dx * channels;
      if (r >= 0 && r < height && c >= 0 && c < row_bytes) {
        sum += input[r * row_bytes + c];
        ++pixels;
      }
    }
  }
  if (row < height && col < row_bytes) output[row * row_bytes + col] = (sum + pixels / 2) / pixels;
}

void blur(const unsigned char* input, unsigned char* output, int width, int height, int channels, int radius) {
  const dim3 block(32, 8);
  const dim3 grid((height + 31) / 32, (width * channels + 7) / 8);
  blur_bytes<<<grid, block>>>(input, output, width, height, channels, radius);
}
