// expect: correct=pass safe=pass fast=15..25
// Four loads through the read-only cache, weighed by hand: right without the topic.
// Without the topic: 68 of 100 points.
#include <cuda_runtime.h>

__global__ void resample_pixels(const float* __restrict__ input, int width, int height, int pitch, float* output,
                                int new_width, int new_height) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < new_width && y < new_height) {
    const float from_x = (x + 0.5f) * width / new_width - 0.5f;
    const float from_y = (y + 0.5f) * height / new_height - 0.5f;
    const int left = static_cast<int>(floorf(from_x)), top = static_cast<int>(floorf(from_y));
    const float a = from_x - left, b = from_y - top;
    const int x0 = max(left, 0), x1 = min(left + 1, width - 1);
    const int y0 = max(top, 0), y1 = min(top + 1, height - 1);
    const float above = (1 - a) * __ldg(&input[y0 * pitch + x0]) + a * __ldg(&input[y0 * pitch + x1]);
    const float below = (1 - a) * __ldg(&input[y1 * pitch + x0]) + a * __ldg(&input[y1 * pitch + x1]);
    output[y * new_width + x] = (1 - b) * above + b * below;
  }
}

void resample(const float* input, int width, int height, int pitch, float* output, int new_width, int new_height) {
  const dim3 block(32, 8);
  const dim3 grid((new_width + block.x - 1) / block.x, (new_height + block.y - 1) / block.y);
  resample_pixels<<<grid, block>>>(input, width, height, pitch, output, new_width, new_height);
}
