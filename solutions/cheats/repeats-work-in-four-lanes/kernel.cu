// lab: 02-global-coalescing
// row: 41
// expect: pass
// without-audit: pass
// caught-by: whole_work
// earns: 0..5
// else-earns: 90..100
// Four lanes make each element, so that no request fetches a sector too many, and there are four times as many
// requests.
#include <cuda_runtime.h>

__global__ void srm(const float* m, const float* f, float* s, int rows, int cols) {
  int row = blockIdx.x;
  for (int c = threadIdx.x / 4; c < cols; c += 32 / 4) s[row * cols + c] = f[row] * m[row * cols + c];
}

__global__ void scm(const float* m, const float* f, float* s, int rows, int cols) {
  int c = blockIdx.x;
  for (int row = threadIdx.x / 4; row < rows; row += 32 / 4) s[c * rows + row] = f[row] * m[c * rows + row];
}

void scale_rows(const float* row_major, const float* column_major, const float* factors, float* scaled_row_major,
                float* scaled_column_major, int rows, int cols) {
  srm<<<rows, 32>>>(row_major, factors, scaled_row_major, rows, cols);
  scm<<<cols, 32>>>(column_major, factors, scaled_column_major, rows, cols);
}
