// lab: 07-shared-tiling
// expect: pass
// earns: 95..100
// The inner loop hands a structure of 48 bytes to a function, by value.
#include <cuda_runtime.h>

constexpr int width = 16;
struct part {
  float a[6], b[6];
};

__device__ float product(part p, int i) { return p.a[i % 6] * p.b[i % 6]; }

__global__ void multiply(const float* a, const float* b, float* c, int j, int k, int l) {
  __shared__ float tile_a[width][width], tile_b[width][width];
  const int x = threadIdx.x, y = threadIdx.y, row = blockIdx.y * width + y, col = blockIdx.x * width + x;
  float sum = 0;
  part p = {};
  for (int phase = 0; phase < k; phase += width) {
    tile_a[y][x] = row < j && phase + x < k ? a[row * k + phase + x] : 0.0f;
    tile_b[y][x] = phase + y < k && col < l ? b[(phase + y) * l + col] : 0.0f;
    __syncthreads();
    for (int i = 0; i < width; ++i) {
      p.a[i % 6] = tile_a[y][i];
      p.b[i % 6] = tile_b[i][x];
      sum += product(p, i);
    }
    __syncthreads();
  }
  if (row < j && col < l) c[row * l + col] = sum;
}

void matrix_multiply(const float* a, const float* b, float* c, int j, int k, int l) {
  multiply<<<dim3((l + 15) / 16, (j + 15) / 16), dim3(16, 16)>>>(a, b, c, j, k, l);
}
