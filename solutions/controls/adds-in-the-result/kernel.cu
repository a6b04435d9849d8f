// lab: 06-constant-convolution
// expect: pass
// earns: 99..100
// Each product is added to the result in memory, 49 times an element: slow, but side by side.
#include <cuda_runtime.h>

__constant__ float weights[81];
__global__ void conv(const float* in, float* out, int rows, int cols, int radius) {
  const int col = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y,
            w = 2 * radius + 1;
  if (row >= rows || col >= cols) return;
  out[row * cols + col] = 0;
  for (int y = 0; y < w; ++y)
    for (int x = 0; x < w; ++x) {
      int r = row + y - radius, c = col + x - radius;
      if (r >= 0 && r < rows && c >= 0 && c < cols) out[row * cols + col] += weights[y * w + x] * in[r * cols + c];
    }
}

void convolve(const float* input, const float* filter, float* output, int rows, int cols, int radius) {
  int w = 2 * radius + 1;
  cudaMemcpyToSymbol(weights, filter, w * w * sizeof(float), 0, cudaMemcpyDeviceToDevice);
  conv<<<dim3((cols + 31) / 32, (rows + 7) / 8), dim3(32, 8)>>>(input, output, rows, cols, radius);
}
