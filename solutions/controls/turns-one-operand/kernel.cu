// lab: 07-shared-tiling
// expect: pass
// earns: 95..100
// B is transposed through a tile first, and the product reads rows of both.
#include <cuda_runtime.h>

constexpr int width = 16;

__global__ void turn(const float* b, float* turned, int k, int l) {
  __shared__ float tile[width][width + 1];
  const int x = blockIdx.x * width + threadIdx.x, y = blockIdx.y * width + threadIdx.y;
  if (y < k && x < l) tile[threadIdx.y][threadIdx.x] = b[y * l + x];
  __syncthreads();
  const int row = blockIdx.x * width + threadIdx.y, col = blockIdx.y * width + threadIdx.x;
  if (row < l && col < k) turned[row * k + col] = tile[threadIdx.x][threadIdx.y];
}

__global__ void multiply(const float* a, const float* turned, float* c, int j, int k, int l) {
  __shared__ float tile_a[width][width], tile_b[width][width + 1];
  const int row = blockIdx.y * width + threadIdx.y, col = blockIdx.x * width + threadIdx.x;
  const int of_b = blockIdx.x * width + threadIdx.y;
  float sum = 0;
  for (int phase = 0; phase < k; phase += width) {
    const int p = phase + threadIdx.x;
    tile_a[threadIdx.y][threadIdx.x] = row < j && p < k ? a[row * k + p] : 0.0f;
    tile_b[threadIdx.y][threadIdx.x] = of_b < l && p < k ? turned[of_b * k + p] : 0.0f;
    __syncthreads();
    for (int i = 0; i < width; ++i) sum += tile_a[threadIdx.y][i] * tile_b[threadIdx.x][i];
    __syncthreads();
  }
  if (row < j && col < l) c[row * l + col] = sum;
}

void matrix_multiply(const float* a, const float* b, float* c, int j, int k, int l) {
  float* turned;
  cudaMalloc(&turned, k * l * sizeof(float));
  const dim3 block(width, width);
  turn<<<dim3((l + width - 1) / width, (k + width - 1) / width), block>>>(b, turned, k, l);
  multiply<<<dim3((l + width - 1) / width, (j + width - 1) / width), block>>>(a, turned, c, j, k, l);
  cudaFree(turned);
}
