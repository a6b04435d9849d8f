// Lab 06: convolution with the filter in constant memory.
//
// `input` and `output` have rows × cols floats, row after row. `filter` is a square of (2·radius + 1)² floats, row after
// row. With width = 2·radius + 1,
//
//   output(r, c) = Σ filter(y, x) · input(r + y − radius, c + x − radius)   over all y, x from 0 to width − 1,
//
// where elements outside of the input count as zero. All three pointers are device memory.
#include <cuda_runtime.h>

// No filter is wider than this; most are smaller.
constexpr int max_radius = 4;
constexpr int max_width = 2 * max_radius + 1;

// Declare an array `weights` in constant memory that holds the largest filter. (The test looks for this name.)
//@@ your code here

__global__ void convolve_pixels(const float* input, float* output, int rows, int cols, int radius) {
  // Which element of the output is this thread's? Let neighbouring threads write neighbouring elements.
  //@@ your code here

  // Walk over the filter and add what lies under it. Which part of the filter lies outside of the input?
  //@@ your code here

  // Store the sum, if this thread has an element.
  //@@ your code here
}

// Called by the tests.
void convolve(const float* input, const float* filter, float* output, int rows, int cols, int radius) {
  // Copy the filter into constant memory: from device memory, so the last argument is cudaMemcpyDeviceToDevice.
  //@@ your code here

  // Choose a block and a grid that covers the output, and launch the kernel.
  //@@ your code here
}
