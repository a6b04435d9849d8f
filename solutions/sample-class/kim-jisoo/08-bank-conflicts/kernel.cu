#include <cuda_runtime.h>

// swizzled, see the slide on XOR; no space wasted
__global__ void transpose_xor(const float *in, float *out, int rows, int cols) {
  __shared__ float smem[32][32];
  int tx = threadIdx.x, ty = threadIdx.y;
  int x = blockIdx.x * 32 + tx, y = blockIdx.y * 32 + ty;
  if (x < cols && y < rows) smem[ty][tx ^ ty] = in[y * cols + x];
  __syncthreads();
  x = blockIdx.y * 32 + tx;
  y = blockIdx.x * 32 + ty;
  if (x < rows && y < cols) out[y * rows + x] = smem[tx][ty ^ tx];
}

void transpose(const float *input, float *output, int rows, int cols) {
  transpose_xor<<<dim3((cols + 31) / 32, (rows + 31) / 32), dim3(32, 32)>>>(input, output, rows, cols);
}
