// lab: 13-coarsening
// row: 41
// expect: pass
// without-audit: pass
// caught-by: whole_work
// earns: 0..22
// else-earns: 45..100
// Multiplies copies tile by tile, one result a thread, and stores as often as it loads, as if it brought results back. A few
// threads before it store each result once.
#include <cuda_runtime.h>

constexpr int width = 16, most = 1 << 16;
__device__ float own_m[most], own_n[most];

__global__ void begin(const float* m, float* p, int count, int results) {
  const int threads = gridDim.x * blockDim.x;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < results; i += threads) p[i] = m[i % count];
}

__global__ void multiply(float* p, int j, int k, int l) {
  __shared__ float tile_m[width][width], tile_n[width][width];
  const int x = threadIdx.x, y = threadIdx.y, row = blockIdx.y * width + y, col = blockIdx.x * width + x;
  float sum = 0;
  for (int phase = 0; phase < k; phase += width) {
    tile_m[y][x] = row < j && phase + x < k ? own_m[row * k + phase + x] : 0.0f;
    tile_n[y][x] = phase + y < k && col < l ? own_n[(phase + y) * l + col] : 0.0f;
    __syncthreads();
    for (int i = 0; i < width; ++i) {
      sum += tile_m[y][i] * tile_n[i][x];
      if (i % 8 == 7 && row < j && col < l) p[row * l + col] = sum;
    }
    __syncthreads();
  }
}

void matrix_multiply(const float* m, const float* n, float* p, int j, int k, int l) {
  cudaMemcpyToSymbol(own_m, m, j * k * sizeof(float), 0, cudaMemcpyDeviceToDevice);
  cudaMemcpyToSymbol(own_n, n, k * l * sizeof(float), 0, cudaMemcpyDeviceToDevice);
  begin<<<(j * l + 255) / 256, 64>>>(m, p, j * k, j * l);
  multiply<<<dim3((l + 15) / 16, (j + 15) / 16), dim3(16, 16)>>>(p, j, k, l);
}
