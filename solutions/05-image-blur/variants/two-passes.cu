// expect: correct=pass safe=pass fast=90..100
// The box taken apart: sums of rows first, into memory of its own, then sums of these down the columns. A byte costs two times
// a row of the window instead of the window.
#include <cuda_runtime.h>

__global__ void sum_rows(const unsigned char* input, int* sums, int row_bytes, int height, int channels, int radius) {
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row >= height || col >= row_bytes) return;
  int sum = 0;
  for (int c = col - radius * channels; c <= col + radius * channels; c += channels)
    if (c >= 0 && c < row_bytes) sum += input[row * row_bytes + c];
  sums[row * row_bytes + col] = sum;
}

__global__ void mean_of_columns(const int* sums, unsigned char* output, int width, int height, int channels,
                                int radius) {
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  const int row_bytes = width * channels;
  if (row >= height || col >= row_bytes) return;
  const int top = max(row - radius, 0), bottom = min(row + radius, height - 1), x = col / channels;
  const int pixels = (bottom - top + 1) * (min(x + radius, width - 1) - max(x - radius, 0) + 1);
  int sum = 0;
  for (int r = top; r <= bottom; ++r) sum += sums[r * row_bytes + col];
  output[row * row_bytes + col] = (sum + pixels / 2) / pixels;
}

void blur(const unsigned char* input, unsigned char* output, int width, int height, int channels, int radius) {
  int* sums = nullptr;
  cudaMalloc(&sums, sizeof(int) * width * channels * height);
  const dim3 block(32, 8);
  const dim3 grid((width * channels + 31) / 32, (height + 7) / 8);
  sum_rows<<<grid, block>>>(input, sums, width * channels, height, channels, radius);
  mean_of_columns<<<grid, block>>>(sums, output, width, height, channels, radius);
  cudaFree(sums);
}
