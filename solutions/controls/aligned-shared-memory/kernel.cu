// lab: 08-bank-conflicts
// expect: pass
// A tile that is aligned behind its qualifier, and one that is looked at in two ways.
#include <cuda_runtime.h>

__global__ void move(const float* input, float* output, int rows, int cols) {
  __shared__ alignas(16) float tile[32][33];
  __shared__ union {
    float value;
    unsigned bits;
  } first;
  const int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
  for (int i = 0; i < 32; i += 8)
    if (x < cols && y + i < rows) tile[threadIdx.y + i][threadIdx.x] = input[(y + i) * cols + x];
  if (threadIdx.x == 0 && threadIdx.y == 0) first.bits = 0;
  __syncthreads();
  const int tx = blockIdx.y * 32 + threadIdx.x, ty = blockIdx.x * 32 + threadIdx.y;
  for (int i = 0; i < 32; i += 8)
    if (tx < rows && ty + i < cols) output[(ty + i) * rows + tx] = tile[threadIdx.x][threadIdx.y + i];
  if (rows < 0) output[0] = first.value;
}

void transpose(const float* input, float* output, int rows, int cols) {
  move<<<dim3((cols + 31) / 32, (rows + 31) / 32), dim3(32, 8)>>>(input, output, rows, cols);
}
