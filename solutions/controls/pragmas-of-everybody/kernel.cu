// lab: 08-bank-conflicts
// expect: pass
// Once, region, diagnostic, unroll: what editors and examples put into files.
#include <cuda_runtime.h>
#pragma region tiles
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-variable"
#pragma GCC diagnostic pop
#pragma endregion
#pragma nv_diag_suppress 177

__global__ void move(const float* input, float* output, int rows, int cols) {
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
#pragma unroll 1
  for (int once = 0; once < 1; ++once)
    if (row < rows && col < cols) output[col * rows + row] = input[row * cols + col];
}

void transpose(const float* input, float* output, int rows, int cols) {
  move<<<dim3((cols + 31) / 32, (rows + 7) / 8), dim3(32, 8)>>>(input, output, rows, cols);
}
