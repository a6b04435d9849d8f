// lab: 06-constant-convolution
// expect: pass
// earns: 95..100
// Adds product after product to the result itself, in memory.
#include <cuda_runtime.h>

__constant__ float weights[81];

__global__ void convolve_pixels(const float* input, float* output, int rows, int cols, int radius) {
  const int col = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row >= rows || col >= cols) return;
  const int width = 2 * radius + 1;
  output[row * cols + col] = 0;
  for (int y = 0; y < width; ++y)
    for (int x = 0; x < width; ++x) {
      const int r = row + y - radius, c = col + x - radius;
      if (r >= 0 && r < rows && c >= 0 && c < cols)
        output[row * cols + col] += weights[y * width + x] * input[r * cols + c];
    }
}

void convolve(const float* input, const float* filter, float* output, int rows, int cols, int radius) {
  const int count = (2 * radius + 1) * (2 * radius + 1);
  cudaMemcpyToSymbol(weights, filter, count * sizeof(float), 0, cudaMemcpyDeviceToDevice);
  convolve_pixels<<<dim3((cols + 31) / 32, (rows + 7) / 8), dim3(32, 8)>>>(input, output, rows, cols, radius);
}
