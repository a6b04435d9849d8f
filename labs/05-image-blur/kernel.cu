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
  //@@ your code here

  // Add up the window, and count the pixels of it that lie inside of the image.
  //@@ your code here

  // Store the rounded mean, if this thread has a byte.
  //@@ your code here
}

// Called by the tests.
void blur(const unsigned char* input, unsigned char* output, int width, int height, int channels, int radius) {
  // Choose a block and a grid that covers the output, and launch the kernel.
  //@@ your code here
}
