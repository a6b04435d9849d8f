// lab: 05-image-blur
// row: 41
// expect: pass
// without-audit: pass
// caught-by: whole_work
// earns: 0..12
// else-earns: 90..100
// One warp for the whole image: its lanes ask for neighbouring bytes, and the rest of the GPU has nothing to do.
#include <cuda_runtime.h>

__global__ void blur_all(const unsigned char* input, unsigned char* output, int width, int height, int channels,
                         int radius) {
  const int row_bytes = width * channels;
  for (int row = 0; row < height; ++row) {
    for (int col = threadIdx.x; col < row_bytes; col += 32) {
      int sum = 0, pixels = 0;
      for (int r = max(row - radius, 0); r <= min(row + radius, height - 1); ++r) {
        for (int c = col - radius * channels; c <= col + radius * channels; c += channels) {
          if (c < 0 || c >= row_bytes) continue;
          sum += input[r * row_bytes + c];
          ++pixels;
        }
      }
      output[row * row_bytes + col] = (sum + pixels / 2) / pixels;
    }
  }
}

void blur(const unsigned char* input, unsigned char* output, int width, int height, int channels, int radius) {
  blur_all<<<1, 32>>>(input, output, width, height, channels, radius);
}
