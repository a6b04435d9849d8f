// expect: correct=pass safe=pass fast=32..48
// One thread for each pixel, all channels one after the other: neighbouring lanes are three bytes apart in an RGB image.
#include <cuda_runtime.h>

__global__ void blur_pixels(const unsigned char* input, unsigned char* output, int width, int height, int channels,
                            int radius) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  for (int channel = 0; channel < channels; ++channel) {
    int sum = 0, pixels = 0;
    for (int r = y - radius; r <= y + radius; ++r) {
      for (int c = x - radius; c <= x + radius; ++c) {
        if (r < 0 || r >= height || c < 0 || c >= width) continue;
        sum += input[(r * width + c) * channels + channel];
        ++pixels;
      }
    }
    output[(y * width + x) * channels + channel] = (sum + pixels / 2) / pixels;
  }
}

void blur(const unsigned char* input, unsigned char* output, int width, int height, int channels, int radius) {
  const dim3 block(32, 8);
  const dim3 grid((width + 31) / 32, (height + 7) / 8);
  blur_pixels<<<grid, block>>>(input, output, width, height, channels, radius);
}
