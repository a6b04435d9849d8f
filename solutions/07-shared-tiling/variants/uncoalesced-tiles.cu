// expect: correct=pass safe=pass fast=65..79
// Loads fall by the tile width, but each warp fetches columns: 32 sectors a request where 4 would do.
#include <cuda_runtime.h>

constexpr int width = 32;

__global__ void multiply(const float* a, const float* b, float* c, int j, int k, int l) {
  __shared__ float tile_a[width][width + 1];
  __shared__ float tile_b[width][width + 1];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int row = blockIdx.y * width + tx;
  const int col = blockIdx.x * width + ty;
  float sum = 0.0f;
  for (int first = 0; first < k; first += width) {
    tile_a[tx][ty] = row < j && first + ty < k ? a[row * k + first + ty] : 0.0f;
    tile_b[tx][ty] = first + tx < k && col < l ? b[(first + tx) * l + col] : 0.0f;
    __syncthreads();
    for (int p = 0; p < width; ++p) sum += tile_a[tx][p] * tile_b[p][ty];
    __syncthreads();
  }
  if (row < j && col < l) c[row * l + col] = sum;
}

void matrix_multiply(const float* a, const float* b, float* c, int j, int k, int l) {
  const dim3 grid((l + width - 1) / width, (j + width - 1) / width);
  multiply<<<grid, dim3(width, width)>>>(a, b, c, j, k, l);
}
