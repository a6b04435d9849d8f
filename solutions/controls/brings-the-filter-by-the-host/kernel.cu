// lab: 06-constant-convolution
// expect: pass
// earns: 95..100
// The filter goes to constant memory by way of the host, as in many books.
#include <cuda_runtime.h>

constexpr int max_radius = 4;
constexpr int max_width = 2 * max_radius + 1;

__constant__ float weights[max_width * max_width];

__global__ void convolve_pixels(const float* input, float* output, int rows, int cols, int radius) {
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = blockIdx.y * blockDim.y + threadIdx.y;

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

  if (row < rows && col < cols) {
    output[row * cols + col] = sum;
  }
}

void convolve(const float* input, const float* filter, float* output, int rows, int cols, int radius) {
  const int width = 2 * radius + 1;
  float host_filter[max_width * max_width];
  cudaMemcpy(host_filter, filter, width * width * sizeof(float), cudaMemcpyDeviceToHost);
  cudaMemcpyToSymbol(weights, host_filter, width * width * sizeof(float));

  const dim3 block(32, 8);
  const dim3 grid((cols + block.x - 1) / block.x, (rows + block.y - 1) / block.y);
  convolve_pixels<<<grid, block>>>(input, output, rows, cols, radius);
}
