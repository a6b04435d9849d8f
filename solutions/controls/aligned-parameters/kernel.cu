// lab: 08-bank-conflicts
// expect: pass
// Kernels and functions take structures by value that are aligned to 32 bytes and more; host code has locals aligned
// like that beside arrays of variable length and calls with many arguments.
#include <cuda_runtime.h>

constexpr int width = 32, height = 8;

struct alignas(32) weights {
  float values[8];
};
struct alignas(64) extent {
  int rows, cols;
};
struct alignas(128) factors {
  double values[4];
};

__device__ __noinline__ float scaled(float x, weights w, int lane, factors f) {
  return x * w.values[lane & 7] * static_cast<float>(f.values[lane & 3]);
}

__global__ void transpose_tile(const float* input, float* output, extent size, weights w, factors f) {
  __shared__ float tile[width][width + 1];
  const int col = blockIdx.x * width + threadIdx.x, first_row = blockIdx.y * width;
  for (int y = threadIdx.y; y < width; y += height) {
    const int row = first_row + y;
    if (row < size.rows && col < size.cols) tile[y][threadIdx.x] = scaled(input[row * size.cols + col], w, y, f);
  }
  __syncthreads();
  for (int y = threadIdx.y; y < width; y += height) {
    const int output_row = blockIdx.x * width + y, output_col = first_row + threadIdx.x;
    if (output_row < size.cols && output_col < size.rows)
      output[output_row * size.rows + output_col] = tile[threadIdx.x][y];
  }
}

__attribute__((noinline)) int sum_of_all(int a, int b, int c, int d, int e, int f, int g, weights w,
                                         const float* more) {
  return a + b + c + d + e + f + g + static_cast<int>(w.values[g & 7] + more[a]);
}

int sum_of_many(int n) {
  alignas(64) float squares[16];
  for (int i = 0; i < 16; ++i) squares[i] = static_cast<float>(i * i);
  float parts[n];
  parts[0] = squares[3];
  parts[n - 1] = squares[n];
  int sum = 0;
  for (int i = 0; i < 2; ++i) sum += sum_of_all(i, 2, 3, 4, 5, 6, 7, weights{{1, 2, 3, 4, 5, 6, 7, 8}}, parts);
  if (sum < 0) throw sum;
  return sum;
}

void transpose(const float* input, float* output, int rows, int cols) {
  if (sum_of_many(2) != 84) return;
  const weights ones{{1, 1, 1, 1, 1, 1, 1, 1}};
  const dim3 blocks((cols + width - 1) / width, (rows + width - 1) / width);
  transpose_tile<<<blocks, dim3(width, height)>>>(input, output, {rows, cols}, ones, factors{{1, 1, 1, 1}});
}
