// Lab 05: box blur of an 8-bit image.
//
// `input` and `output` are images of width × height pixels in device memory, row after row. A pixel has one byte
// (channels = 1, grey) or three (channels = 3: red, green, blue, side by side), so channel k of pixel (x, y) is byte
// (y · width + x) · channels + k. Each byte of the output is the mean of the bytes of its own channel in the window
//
//   from x − radius to x + radius, from y − radius to y + radius,
//
// of those pixels that lie inside of the image. With n of them the mean is rounded: (sum + n / 2) / n in whole numbers.
#include <cuda_runtime.h>

__global__ void blur_bytes(const unsigned char* input, unsigned char* output, int width, int height, int channels,
                           int radius) {
  // Which byte of the output is this thread's? Let neighbouring threads write neighbouring bytes.
  //@@ begin solution
  const int col = blockIdx.x * blockDim.x + threadIdx.x;  // in bytes
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  const int row_bytes = width * channels;
  //@@ end solution

  // Add up the window, and count the pixels of it that lie inside of the image.
  //@@ begin solution
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
  //@@ end solution

  // Store the rounded mean, if this thread has a byte.
  //@@ begin solution
  if (row < height && col < row_bytes) {
    output[row * row_bytes + col] = (sum + pixels / 2) / pixels;
  }
  //@@ end solution
}

// Called by the tests.
void blur(const unsigned char* input, unsigned char* output, int width, int height, int channels, int radius) {
  // Choose a block and a grid that covers the output, and launch the kernel.
  //@@ begin solution
  const dim3 block(32, 8);
  const dim3 grid((width * channels + block.x - 1) / block.x, (height + block.y - 1) / block.y);
  blur_bytes<<<grid, block>>>(input, output, width, height, channels, radius);
  //@@ end solution
}
