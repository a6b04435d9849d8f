// expect: correct=pass safe=pass fast=95..100
// Both tiles in dynamic shared memory whose size the launch gives.
#include <cuda_runtime.h>

__global__ void multiply(const float* a, const float* b, float* c, int j, int k, int l, int width) {
  extern __shared__ float shared[];
  float* tile_a = shared;
  float* tile_b = shared + width * width;
  const int row = blockIdx.y * width + threadIdx.y;
  const int col = blockIdx.x * width + threadIdx.x;
  const int here = threadIdx.y * width + threadIdx.x;
  float sum = 0.0f;
  for (int first = 0; first < k; first += width) {
    const int a_col = first + threadIdx.x, b_row = first + threadIdx.y;
    tile_a[here] = row < j && a_col < k ? a[row * k + a_col] : 0.0f;
    tile_b[here] = b_row < k && col < l ? b[b_row * l + col] : 0.0f;
    __syncthreads();
    for (int p = 0; p < width; ++p) sum += tile_a[threadIdx.y * width + p] * tile_b[p * width + threadIdx.x];
    __syncthreads();
  }
  if (row < j && col < l) c[row * l + col] = sum;
}

void matrix_multiply(const float* a, const float* b, float* c, int j, int k, int l) {
  const int width = 16;
  const dim3 grid((l + width - 1) / width, (j + width - 1) / width);
  multiply<<<grid, dim3(width, width), 2 * width * width * sizeof(float)>>>(a, b, c, j, k, l, width);
}
