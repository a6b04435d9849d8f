// lab: 06-constant-convolution
// row: 41
// expect: pass
// without-audit: pass
// caught-by: whole_work
// earns: 20..35
// else-earns: 95..100
// The filter is a parameter by value, of a kernel that stores it to memory of the program's own. The other kernel reads it
// there, in global memory, by every thread.
#include <cuda_runtime.h>

struct square_filter {
  float at[81];
};

__device__ float kept[81];

template <int I>
__device__ void keep_from(const square_filter& filter) {
  kept[I] = filter.at[I];
  if constexpr (I < 80) keep_from<I + 1>(filter);
}

__global__ void keep(square_filter filter) { keep_from<0>(filter); }

__global__ void convolve_pixels(const float* input, float* output, int rows, int cols, int radius) {
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  const int width = 2 * radius + 1;
  float sum = 0.0f;
  for (int y = 0; y < width; ++y)
    for (int x = 0; x < width; ++x) {
      const int r = row + y - radius, c = col + x - radius;
      if (r >= 0 && r < rows && c >= 0 && c < cols) sum += kept[y * width + x] * input[r * cols + c];
    }
  if (row < rows && col < cols) output[row * cols + col] = sum;
}

void convolve(const float* input, const float* filter, float* output, int rows, int cols, int radius) {
  square_filter by_value{};
  cudaMemcpy(&by_value, filter, (2 * radius + 1) * (2 * radius + 1) * sizeof(float), cudaMemcpyDeviceToHost);
  keep<<<1, 1>>>(by_value);
  convolve_pixels<<<dim3((cols + 31) / 32, (rows + 7) / 8), dim3(32, 8)>>>(input, output, rows, cols, radius);
}
