// lab: 02-global-coalescing
// row: 41
// expect: pass
// without-audit: pass
// caught-by: whole_work
// earns: 0..4
// else-earns: 90..100
// One thread of one block walks through both matrices: a request of one lane needs one sector and moves one.
#include <cuda_runtime.h>
__global__ void all(const float* a, const float* b, const float* f, float* sa, float* sb, int rows, int cols) {
  for (int c = 0; c < cols; ++c)
    for (int r = 0; r < rows; ++r) sa[r * cols + c] = f[r] * a[r * cols + c];
  for (int r = 0; r < rows; ++r)
    for (int c = 0; c < cols; ++c) sb[c * rows + r] = f[r] * b[c * rows + r];
}
void scale_rows(const float* row_major, const float* column_major, const float* factors, float* scaled_row_major,
                float* scaled_column_major, int rows, int cols) {
  all<<<1, 1>>>(row_major, column_major, factors, scaled_row_major, scaled_column_major, rows, cols);
}
