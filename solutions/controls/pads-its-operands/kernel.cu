// lab: 07-shared-tiling
// expect: pass
// earns: 95..100
// Both operands are padded with zeros to whole tiles first, so that the kernel needs no edges.
#include <cuda_runtime.h>

constexpr int width = 16;

__global__ void multiply(const float* a, const float* b, float* c, int j, int k, int l, int padded_l) {
  __shared__ float tile_a[width][width], tile_b[width][width];
  const int row = blockIdx.y * width + threadIdx.y, col = blockIdx.x * width + threadIdx.x;
  float sum = 0;
  for (int phase = 0; phase < k; phase += width) {
    tile_a[threadIdx.y][threadIdx.x] = a[row * k + phase + threadIdx.x];
    tile_b[threadIdx.y][threadIdx.x] = b[(phase + threadIdx.y) * padded_l + col];
    __syncthreads();
    for (int p = 0; p < width; ++p) sum += tile_a[threadIdx.y][p] * tile_b[p][threadIdx.x];
    __syncthreads();
  }
  if (row < j && col < l) c[row * l + col] = sum;
}

int padded(int n) { return (n + width - 1) / width * width; }

float* padded_copy(const float* matrix, int rows, int cols) {
  float* copy;
  const size_t pitch = padded(cols) * sizeof(float);
  cudaMalloc(&copy, padded(rows) * pitch);
  cudaMemset(copy, 0, padded(rows) * pitch);
  cudaMemcpy2D(copy, pitch, matrix, cols * sizeof(float), cols * sizeof(float), rows, cudaMemcpyDeviceToDevice);
  return copy;
}

void matrix_multiply(const float* a, const float* b, float* c, int j, int k, int l) {
  float* const padded_a = padded_copy(a, j, k);
  float* const padded_b = padded_copy(b, k, l);
  multiply<<<dim3(padded(l) / width, padded(j) / width), dim3(width, width)>>>(padded_a, padded_b, c, j, padded(k), l,
                                                                               padded(l));
  cudaFree(padded_a);
  cudaFree(padded_b);
}
