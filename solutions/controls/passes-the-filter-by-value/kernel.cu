// lab: 06-constant-convolution
// expect: pass
// earns: 95..100
// The filter is a parameter by value, which lies in constant memory on a GPU.
#include <cuda_runtime.h>

constexpr int max_width = 9;

struct square_filter {
  int radius;
  float weights[max_width][max_width];

  __host__ __device__ float at(int y, int x) const { return weights[y][x]; }
};

__global__ void convolve_pixels(const float* input, float* output, int rows, int cols, square_filter filter) {
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  const int radius = filter.radius;
  float sum = 0.0f;
  for (int y = 0; y <= 2 * radius; ++y)
    for (int x = 0; x <= 2 * radius; ++x) {
      const int r = row + y - radius, c = col + x - radius;
      if (r >= 0 && r < rows && c >= 0 && c < cols) sum += filter.at(y, x) * input[r * cols + c];
    }
  if (row < rows && col < cols) output[row * cols + col] = sum;
}

void convolve(const float* input, const float* filter, float* output, int rows, int cols, int radius) {
  const int width = 2 * radius + 1;
  square_filter by_value{};
  by_value.radius = radius;
  cudaMemcpy2D(by_value.weights, sizeof by_value.weights[0], filter, width * sizeof(float), width * sizeof(float),
               width, cudaMemcpyDeviceToHost);
  const dim3 block(32, 8);
  const dim3 grid((cols + block.x - 1) / block.x, (rows + block.y - 1) / block.y);
  convolve_pixels<<<grid, block>>>(input, output, rows, cols, by_value);
}
