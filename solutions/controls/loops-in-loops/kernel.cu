// lab: 06-constant-convolution
// expect: pass
// A thread makes whole columns: three loops in each other, and branches in the innermost.
#include <cuda_runtime.h>

constexpr int max_width = 9;
__constant__ float weights[max_width * max_width];

__global__ void convolve_columns(const float* input, float* output, int rows, int cols, int radius) {
  // A frame that is aligned beyond what calls do.
  alignas(64) float sums[1];
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  for (int row = blockIdx.y * blockDim.y + threadIdx.y; row < rows; row += gridDim.y * blockDim.y) {
    const int width = 2 * radius + 1;
    sums[0] = 0.0f;
    for (int y = 0; y < width; ++y) {
      for (int x = 0; x < width; ++x) {
        const int r = row + y - radius;
        const int c = col + x - radius;
        if (r >= 0 && r < rows && c >= 0 && c < cols) sums[0] += weights[y * width + x] * input[r * cols + c];
      }
    }
    if (row < rows && col < cols) output[row * cols + col] = sums[0];
  }
}

void convolve(const float* input, const float* filter, float* output, int rows, int cols, int radius) {
  const int width = 2 * radius + 1;
  cudaMemcpyToSymbol(weights, filter, width * width * sizeof(float), 0, cudaMemcpyDeviceToDevice);
  const dim3 block(32, 8);
  const dim3 grid((cols + block.x - 1) / block.x, min((rows + block.y - 1) / block.y, 4u));
  convolve_columns<<<grid, block>>>(input, output, rows, cols, radius);
}
