// lab: 02-global-coalescing
// row: 41
// expect: pass
// without-audit: pass
// caught-by: whole_work
// earns: 0..2
// else-earns: 90..100
// Strides through copies of both matrices, and copies what comes out once more.
#include <cuda_runtime.h>

__global__ void scale(const float* from, const float* factors, float* to, int rows, int cols, bool row_major) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= rows * cols) return;
  const int row = row_major ? i % rows : i / cols, col = row_major ? i / rows : i % cols;
  const int at = row_major ? row * cols + col : col * rows + row;
  to[at] = factors[row] * from[at];
}

__global__ void look_at(const float* matrix, float* seen) { seen[threadIdx.x] = matrix[threadIdx.x]; }

static void scale_copy(const float* from, const float* factors, float* to, int rows, int cols, bool row_major) {
  const int count = rows * cols;
  float *before, *after, *seen;
  cudaMalloc(&before, count * sizeof(float));
  cudaMalloc(&after, count * sizeof(float));
  cudaMalloc(&seen, 32 * sizeof(float));
  cudaMemcpy(before, from, count * sizeof(float), cudaMemcpyDeviceToDevice);
  scale<<<(count + 255) / 256, 256>>>(before, factors, after, rows, cols, row_major);
  cudaMemcpy(to, after, count * sizeof(float), cudaMemcpyDeviceToDevice);
  if (count >= 32) look_at<<<1, 32>>>(from, seen);
  if (count >= 32) look_at<<<1, 32>>>(after, to);  // the values that are there already
  cudaFree(before);
  cudaFree(after);
  cudaFree(seen);
}

void scale_rows(const float* row_major, const float* column_major, const float* factors, float* scaled_row_major,
                float* scaled_column_major, int rows, int cols) {
  scale_copy(row_major, factors, scaled_row_major, rows, cols, true);
  scale_copy(column_major, factors, scaled_column_major, rows, cols, false);
}
