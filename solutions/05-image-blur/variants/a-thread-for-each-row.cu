// expect: correct=pass safe=pass fast=0..10
// One thread walks along a row: neighbouring lanes are a row apart, and a GPU has few threads to work with.
#include <cuda_runtime.h>

__global__ void blur_bytes(const unsigned char* input, unsigned char* output, int width, int height, int channels,
                           int radius) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  const int row_bytes = width * channels;

  for (int col = 0; col < row_bytes; ++col) {
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

    if (row < height && col < row_bytes) {
      output[row * row_bytes + col] = (sum + pixels / 2) / pixels;
    }
  }
}

void blur(const unsigned char* input, unsigned char* output, int width, int height, int channels, int radius) {
  const dim3 block(256);
  const dim3 grid((height + block.x - 1) / block.x);
  blur_bytes<<<grid, block>>>(input, output, width, height, channels, radius);
}
