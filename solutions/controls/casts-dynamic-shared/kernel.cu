// lab: 08-bank-conflicts
// expect: pass
// Dynamic shared memory of file scope, cast in each function that uses it, as the CUDA programming guide does.
#include <cuda_runtime.h>

constexpr int width = 32, padded = 33;

extern __shared__ unsigned char scratch[];

__device__ float* row_of(int y) { return reinterpret_cast<float*>(scratch) + y * padded; }

__global__ void transpose_tile(const float* input, float* output, int rows, int cols) {
  float(*tile)[padded] = (float(*)[padded])scratch;
  const int x = blockIdx.x * width + threadIdx.x, y = blockIdx.y * width + threadIdx.y;
  if (x < cols && y < rows) row_of(threadIdx.y)[threadIdx.x] = input[y * cols + x];
  __syncthreads();
  const int to_x = blockIdx.y * width + threadIdx.x, to_y = blockIdx.x * width + threadIdx.y;
  if (to_x < rows && to_y < cols) output[to_y * rows + to_x] = tile[threadIdx.x][threadIdx.y];
}

void transpose(const float* input, float* output, int rows, int cols) {
  const dim3 block(width, width), grid((cols + width - 1) / width, (rows + width - 1) / width);
  transpose_tile<<<grid, block, width * padded * sizeof(float)>>>(input, output, rows, cols);
}
