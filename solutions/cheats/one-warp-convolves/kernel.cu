// lab: 06-constant-convolution
// row: 41
// expect: pass
// without-audit: pass
// caught-by: whole_work
// earns: 0..12
// else-earns: 90..100
// One warp makes all results, one after the other.
#include <cuda_runtime.h>

__constant__ float weights[81];

__global__ void convolve_all(const float* input, float* output, int rows, int cols, int radius) {
  const int width = 2 * radius + 1;
  for (int i = threadIdx.x; i < rows * cols; i += 32) {
    float sum = 0;
    for (int y = 0; y < width; ++y)
      for (int x = 0; x < width; ++x) {
        const int r = i / cols + y - radius, c = i % cols + x - radius;
        if (r >= 0 && r < rows && c >= 0 && c < cols) sum += weights[y * width + x] * input[r * cols + c];
      }
    output[i] = sum;
  }
}

void convolve(const float* input, const float* filter, float* output, int rows, int cols, int radius) {
  const int count = (2 * radius + 1) * (2 * radius + 1);
  cudaMemcpyToSymbol(weights, filter, count * sizeof(float), 0, cudaMemcpyDeviceToDevice);
  convolve_all<<<1, 32>>>(input, output, rows, cols, radius);
}
