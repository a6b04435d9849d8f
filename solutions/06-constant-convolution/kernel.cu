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
//@@ begin solution
__constant__ float weights[max_width * max_width];
//@@ end solution

__global__ void convolve_pixels(const float* input, float* output, int rows, int cols, int radius) {
  // Which element of the output is this thread's? Let neighbouring threads write neighbouring elements.
  //@@ begin solution
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  //@@ end solution

  // Walk over the filter and add what lies under it. Which part of the filter lies outside of the input?
  //@@ begin solution
  const int width = 2 * radius + 1;
  float sum = 0.0f;
  for (int y = 0; y < width; ++y) {
    for (int x = 0; x < width; ++x) {
      const int r = row + y - radius;
      const int c = col + x - radius;
      if (r >= 0 && r < rows && c >= 0 && c < cols) {
        sum += weights[y * width + x] * input[r * cols + c];
      }
    }
  }
  //@@ end solution

  // Store the sum, if this thread has an element.
  //@@ begin solution
  if (row < rows && col < cols) {
    output[row * cols + col] = sum;
  }
  //@@ end solution
}

// Called by the tests.
void convolve(const float* input, const float* filter, float* output, int rows, int cols, int radius) {
  // Copy the filter into constant memory: from device memory, so the last argument is cudaMemcpyDeviceToDevice.
  //@@ begin solution
  const int width = 2 * radius + 1;
  cudaMemcpyToSymbol(weights, filter, width * width * sizeof(float), 0, cudaMemcpyDeviceToDevice);
  //@@ end solution

  // Choose a block and a grid that covers the output, and launch the kernel.
  //@@ begin solution
  const dim3 block(32, 8);
  const dim3 grid((cols + block.x - 1) / block.x, (rows + block.y - 1) / block.y);
  convolve_pixels<<<grid, block>>>(input, output, rows, cols, radius);
  //@@ end solution
}
