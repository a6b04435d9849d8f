// expect: correct=pass safe=pass fast=100..100
// What is possible: nearly a copy's speed. A thread walks down a strip of the output, four columns wide. Each row of the input
// is read once, 16 bytes at a time, while the sums of all the output rows that it belongs to wait in registers: what the
// textbook kernel reads width² times from the caches is read three times here. The radius is known to the compiler, so the
// loops over the filter disappear, and a weight is an operand of the multiply-add itself.
#include <cuda_runtime.h>

constexpr int max_radius = 4;
constexpr int max_width = 2 * max_radius + 1;
constexpr int threads = 128;
constexpr int strip = 128;  // rows: the ends of strips are read twice, and too few strips do not fill the GPU

__constant__ float weights[max_width * max_width];

// What a thread needs of one row: its own four columns and the `radius` ones on either side.
template <int radius>
struct window {
  float4 left, own, right;

  // cols is a multiple of 4. What lies outside of the input is zero.
  __device__ void load(const float* input, int row, int col, int rows, int cols) {
    left = own = right = make_float4(0, 0, 0, 0);
    if (row < 0 || row >= rows || col >= cols) return;
    const float* const at = input + static_cast<size_t>(row) * cols + col;
    own = *reinterpret_cast<const float4*>(at);
    if (radius > 0 && col > 0) left = *reinterpret_cast<const float4*>(at - 4);
    if (radius > 0 && col + 4 < cols) right = *reinterpret_cast<const float4*>(at + 4);
  }
};

template <int radius>
__global__ __launch_bounds__(threads) void convolve_strips(const float* __restrict__ input, float* __restrict__ output,
                                                           int rows, int cols) {
  constexpr int width = 2 * radius + 1;
  const int col = 4 * (blockIdx.x * threads + threadIdx.x);
  const int first = blockIdx.y * strip, end = min(first + strip, rows);

  // Input row r is part of the output rows r − radius to r + radius. The sums of output row o wait in
  // sums[(o − first) mod width]; the loop over phases is unrolled, so every such place is a register.
  float sums[width][4] = {};
  window<radius> next;
  next.load(input, first - radius, col, rows, cols);
  for (int start = first - radius; start < end + radius; start += width) {
#pragma unroll
    for (int phase = 0; phase < width; ++phase) {
      const int row = start + phase;
      const window<radius> now = next;
      next.load(input, row + 1, col, rows, cols);  // under way while this row is multiplied
      const float x[12] = {now.left.x, now.left.y, now.left.z,  now.left.w,  now.own.x,   now.own.y,
                           now.own.z,  now.own.w,  now.right.x, now.right.y, now.right.z, now.right.w};
#pragma unroll
      for (int y = 0; y < width; ++y) {  // of the filter: output row `row + radius - y`
        float* const sum = sums[(phase - y + width) % width];
#pragma unroll
        for (int tap = 0; tap < width; ++tap)
#pragma unroll
          for (int i = 0; i < 4; ++i) sum[i] += weights[y * width + tap] * x[4 - radius + tap + i];
      }
      // The last row of the filter was the last term of output row `row - radius`.
      float* const done = sums[(phase + 1) % width];
      const int target = row - radius;
      if (target >= first && target < end && col < cols)
        *reinterpret_cast<float4*>(output + static_cast<size_t>(target) * cols + col) =
            make_float4(done[0], done[1], done[2], done[3]);
      for (int i = 0; i < 4; ++i) done[i] = 0;
    }
  }
}

template <int radius>
void launch_strips(const float* input, float* output, int rows, int cols) {
  const dim3 grid((cols - 1) / (4 * threads) + 1, (rows - 1) / strip + 1);
  convolve_strips<radius><<<grid, threads>>>(input, output, rows, cols);
}

// Any size: the textbook's kernel.
__global__ void convolve_pixels(const float* input, float* output, int rows, int cols, int radius) {
  const int col = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
  const int width = 2 * radius + 1;
  float sum = 0;
  for (int y = 0; y < width; ++y)
    for (int x = 0; x < width; ++x) {
      const int r = row + y - radius, c = col + x - radius;
      if (r >= 0 && r < rows && c >= 0 && c < cols) sum += weights[y * width + x] * input[r * cols + c];
    }
  if (row < rows && col < cols) output[row * cols + col] = sum;
}

void convolve(const float* input, const float* filter, float* output, int rows, int cols, int radius) {
  const int width = 2 * radius + 1;
  cudaMemcpyToSymbol(weights, filter, width * width * sizeof(float), 0, cudaMemcpyDeviceToDevice);
  if (cols % 4 != 0) {
    const dim3 block(32, 8), grid((cols + block.x - 1) / block.x, (rows + block.y - 1) / block.y);
    convolve_pixels<<<grid, block>>>(input, output, rows, cols, radius);
    return;
  }
  switch (radius) {
    case 0:
      return launch_strips<0>(input, output, rows, cols);
    case 1:
      return launch_strips<1>(input, output, rows, cols);
    case 2:
      return launch_strips<2>(input, output, rows, cols);
    case 3:
      return launch_strips<3>(input, output, rows, cols);
    default:
      return launch_strips<max_radius>(input, output, rows, cols);
  }
}
