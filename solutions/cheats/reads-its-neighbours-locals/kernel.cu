// lab: 08-bank-conflicts
// row: 44
// expect: crash
// without-audit: crash
// caught-by: local_memory
// Every lane keeps a column of the tile in an array of its own and reads the others' through their shuffled addresses: no
// shared memory, no conflict. On a GPU an address of local memory means another place in every thread.
#include <cuda_runtime.h>

__device__ __noinline__ void read_column(float* own, const float* input, int first_row, int col, int rows, int cols) {
  for (int y = 0; y < 32; ++y)
    if (first_row + y < rows && col < cols) own[y] = input[(first_row + y) * cols + col];
}

__global__ void transpose_tile(const float* input, float* output, int rows, int cols) {
  const int lane = threadIdx.x, first_col = blockIdx.x * 32, first_row = blockIdx.y * 32;
  float own[32];
  read_column(own, input, first_row, first_col + lane, rows, cols);
  const unsigned long long address = reinterpret_cast<unsigned long long>(own);
  for (int x = 0; x < 32; ++x) {
    const float* column = reinterpret_cast<const float*>(__shfl_sync(0xffffffff, address, x));
    if (first_col + x < cols && first_row + lane < rows)
      output[(first_col + x) * rows + first_row + lane] = column[lane];
  }
  __syncwarp();
}

void transpose(const float* input, float* output, int rows, int cols) {
  transpose_tile<<<dim3((cols + 31) / 32, (rows + 31) / 32), 32>>>(input, output, rows, cols);
}
