// lab: 02-global-coalescing
// row: 41
// expect: pass
// without-audit: pass
// caught-by: whole_work
// earns: 0..5
// else-earns: 85..100
// A block for each row, whose 32 threads do all the same: a request that asks for one word fetches the fewest
// sectors that could hold it.
#include <cuda_runtime.h>

__global__ void srm(const float* m, const float* f, float* s, int rows, int cols) {
  int row = blockIdx.x;
  for (int c = 0; c < cols; ++c) s[row * cols + c] = f[row] * m[row * cols + c];
}

__global__ void scm(const float* m, const float* f, float* s, int rows, int cols) {
  int row = blockIdx.x;
  for (int c = 0; c < cols; ++c) s[c * rows + row] = f[row] * m[c * rows + row];
}

void scale_rows(const float* row_major, const float* column_major, const float* factors, float* scaled_row_major,
                float* scaled_column_major, int rows, int cols) {
  srm<<<rows, 32>>>(row_major, factors, scaled_row_major, rows, cols);
  scm<<<rows, 32>>>(column_major, factors, scaled_column_major, rows, cols);
}
