// lab: 06-constant-convolution
// expect: pass
// earns: 95..100
// The filter is a `__grid_constant__` parameter; for the usual radius each weight's place is known when the kernel is compiled.
#include <cuda_runtime.h>

struct filter_values {
  float at[81];
};

__device__ float element(const float* input, int rows, int cols, int r, int c) {
  return r >= 0 && r < rows && c >= 0 && c < cols ? input[r * cols + c] : 0.0f;
}

template <int Radius, int I = 0>
__device__ float sum_from(const filter_values& filter, const float* input, int rows, int cols, int row, int col) {
  constexpr int width = 2 * Radius + 1;
  if constexpr (I == width * width) {
    return 0.0f;
  } else {
    const float product = filter.at[I] * element(input, rows, cols, row + I / width - Radius, col + I % width - Radius);
    return product + sum_from<Radius, I + 1>(filter, input, rows, cols, row, col);
  }
}

template <int Radius>
__global__ void convolve_known(const float* input, float* output, int rows, int cols,
                               const __grid_constant__ filter_values filter) {
  const int col = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row < rows && col < cols) output[row * cols + col] = sum_from<Radius>(filter, input, rows, cols, row, col);
}

__global__ void convolve_any(const float* input, float* output, int rows, int cols, int radius,
                             const __grid_constant__ filter_values filter) {
  const int col = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row >= rows || col >= cols) return;
  const int width = 2 * radius + 1;
  float sum = 0.0f;
  for (int i = 0; i < width * width; ++i)
    sum += filter.at[i] * element(input, rows, cols, row + i / width - radius, col + i % width - radius);
  output[row * cols + col] = sum;
}

void convolve(const float* input, const float* filter, float* output, int rows, int cols, int radius) {
  filter_values by_value;
  cudaMemcpy(&by_value, filter, (2 * radius + 1) * (2 * radius + 1) * sizeof(float), cudaMemcpyDeviceToHost);
  const dim3 block(32, 8);
  const dim3 grid((cols + 31) / 32, (rows + 7) / 8);
  if (radius == 2)
    convolve_known<2><<<grid, block>>>(input, output, rows, cols, by_value);
  else
    convolve_any<<<grid, block>>>(input, output, rows, cols, radius, by_value);
}
