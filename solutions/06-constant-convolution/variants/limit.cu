// expect: correct=pass safe=pass fast=100..100
// What is possible: nine tenths of a copy's speed. A thread computes a patch of the output, four columns wide and eight rows
// tall, whose sums stay in registers. Each row of the input that the patch needs is read once, 16 bytes at a time and 8 at
// either side, and goes into all the sums that it is part of: what the textbook kernel reads width² times from the caches is
// read three times here. Neighbouring patches are worked on at the same time, so that what two of them read comes from a
// cache and the GPU goes through its memory from the beginning to the end. A long strip for each thread reads fewer rows
// twice and was slower: its ends are read long before or after the next strip's beginning, which is then read from memory
// again. The radius is known to the compiler, so no loop is left, and a weight takes no register of a thread.
#include <cuda_runtime.h>

constexpr int max_radius = 4;
constexpr int max_width = 2 * max_radius + 1;
constexpr int patch = 8;              // rows
constexpr int lanes = 32, warps = 4;  // of a block; its warps lie one below the other

// Blocks of a multiprocessor at a time, at least. Few leave each thread many registers, and the compiler has several rows
// read before the first is multiplied; without the number it saves registers, and each row waits for the memory.
constexpr int blocks = 5;

__constant__ float weights[max_width * max_width];

// What a patch needs of one row of the input: x[i] is column `col - margin + i`. Zero where there is none.
template <int radius>
struct row_part {
  static constexpr int margin = (radius + 1) / 2 * 2;  // read by twos
  float x[margin + 4 + margin];

  __device__ void load(const float* at, bool inside, bool has_left, bool has_right) {
    const float4 own = inside ? *reinterpret_cast<const float4*>(at) : make_float4(0, 0, 0, 0);
    x[margin] = own.x, x[margin + 1] = own.y, x[margin + 2] = own.z, x[margin + 3] = own.w;
#pragma unroll
    for (int i = 0; i < margin; i += 2) {
      const float2 left = inside && has_left ? *reinterpret_cast<const float2*>(at - margin + i) : make_float2(0, 0);
      const float2 right = inside && has_right ? *reinterpret_cast<const float2*>(at + 4 + i) : make_float2(0, 0);
      x[i] = left.x, x[i + 1] = left.y;
      x[margin + 4 + i] = right.x, x[margin + 4 + i + 1] = right.y;
    }
  }
};

// cols is a multiple of 4, so that every row begins at a multiple of 16 bytes.
template <int radius>
__global__ __launch_bounds__(lanes* warps, blocks) void convolve_patches(const float* __restrict__ input,
                                                                         float* __restrict__ output, int rows,
                                                                         int cols) {
  constexpr int width = 2 * radius + 1;
  const int col = 4 * (blockIdx.x * lanes + threadIdx.x);
  const int top = patch * (blockIdx.y * warps + threadIdx.y);
  if (col >= cols) return;

  float sums[patch][4] = {};
#pragma unroll
  for (int y = -radius; y < patch + radius; ++y) {  // a row of the input, counted from the patch's first one
    const int row = top + y;
    row_part<radius> in;
    in.load(input + static_cast<ptrdiff_t>(row) * cols + col, row >= 0 && row<rows, col> 0, col + 4 < cols);
#pragma unroll
    for (int target = 0; target < patch; ++target) {
      const int filter_row = y - target + radius;
      if (filter_row < 0 || filter_row >= width) continue;
#pragma unroll
      for (int tap = 0; tap < width; ++tap)
#pragma unroll
        for (int i = 0; i < 4; ++i)
          sums[target][i] += weights[filter_row * width + tap] * in.x[row_part<radius>::margin - radius + tap + i];
    }
    const int done = y - radius;  // its last term was of this row
    if (done >= 0 && top + done < rows)
      *reinterpret_cast<float4*>(output + static_cast<size_t>(top + done) * cols + col) =
          make_float4(sums[done][0], sums[done][1], sums[done][2], sums[done][3]);
  }
}

template <int radius>
void launch_patches(const float* input, float* output, int rows, int cols) {
  const dim3 block(lanes, warps), grid((cols - 1) / (4 * lanes) + 1, (rows - 1) / (patch * warps) + 1);
  convolve_patches<radius><<<grid, block>>>(input, output, rows, cols);
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
      return launch_patches<0>(input, output, rows, cols);
    case 1:
      return launch_patches<1>(input, output, rows, cols);
    case 2:
      return launch_patches<2>(input, output, rows, cols);
    case 3:
      return launch_patches<3>(input, output, rows, cols);
    default:
      return launch_patches<max_radius>(input, output, rows, cols);
  }
}
