// lab: 02-global-coalescing
// expect: pass
// Builds a table from its input in memory of its own that outlives the call, anew in every call.
#include <cuda_runtime.h>

__global__ void build_table(const float* factors, float* table, int rows) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < rows) table[row] = factors[row];
}

__global__ void scale(const float* matrix, const float* table, float* scaled, int width, int height, bool by_column) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < width && y < height) scaled[y * width + x] = table[by_column ? x : y] * matrix[y * width + x];
}

void scale_rows(const float* row_major, const float* column_major, const float* factors, float* scaled_row_major,
                float* scaled_column_major, int rows, int cols) {
  static float* table = nullptr;
  static int room = 0;
  if (rows > room) {
    cudaFree(table);
    cudaMalloc(&table, sizeof(float) * rows);
    room = rows;
  }
  build_table<<<(rows + 255) / 256, 256>>>(factors, table, rows);
  const dim3 block(32, 8);
  scale<<<dim3((cols + 31) / 32, (rows + 7) / 8), block>>>(row_major, table, scaled_row_major, cols, rows, false);
  scale<<<dim3((rows + 31) / 32, (cols + 7) / 8), block>>>(column_major, table, scaled_column_major, rows, cols, true);
}
