// lab: 08-bank-conflicts
// row: 41
// expect: pass
// without-audit: pass
// caught-by: whole_work
// earns: 0..27
// else-earns: 90..100
// Transposes between two arrays of its own, strided; both ends are plain copies through a tile that nobody needs.
#include <cuda_runtime.h>

__global__ void move(const float* from, float* to, int count) {
  __shared__ float tile[256];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) tile[threadIdx.x] = from[i];
  __syncthreads();
  if (i < count) to[i] = tile[threadIdx.x];
}

__global__ void turn(const float* from, float* to, int rows, int cols) {
  const int col = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y;
  if (col < cols) to[col * rows + row] = from[row * cols + col];
}

void transpose(const float* input, float* output, int rows, int cols) {
  const int count = rows * cols;
  float *before, *after;
  cudaMalloc(&before, count * sizeof(float));
  cudaMalloc(&after, count * sizeof(float));
  move<<<(count + 255) / 256, 256>>>(input, before, count);
  turn<<<dim3((cols + 63) / 64, rows), 64>>>(before, after, rows, cols);
  move<<<(count + 255) / 256, 256>>>(after, output, count);
  cudaFree(before);
  cudaFree(after);
}
