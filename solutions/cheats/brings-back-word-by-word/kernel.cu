// lab: 02-global-coalescing
// row: 41
// expect: pass
// without-audit: pass
// caught-by: whole_work
// earns: 0..10
// else-earns: 40..60
// Stores both results across their layout to memory of its own in the order of the lanes, and brings them back by requests in
// which all lanes ask for one word, of which each keeps one of 32.
#include <cuda_runtime.h>

__device__ float own[1 << 22];

// Lane after lane goes down the columns of a row-major matrix, or along the rows of a column-major one; what it makes stands in that
// order.
__global__ void scale(const float* matrix, const float* factors, int outer, int inner, bool by_inner) {
  const int o = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y;
  if (o < outer) own[i * outer + o] = factors[by_inner ? i : o] * matrix[o * inner + i];
}

__global__ void bring_back(float* scaled, int outer, int inner) {
  const int lane = threadIdx.x, o = blockIdx.y, first = blockIdx.x * 32;
  float mine = 0;
  for (int word = 0; word < 32 && first + word < inner; ++word) {
    const float value = own[(first + word) * outer + o];
    if (word == lane) mine = value;
  }
  if (first + lane < inner) scaled[o * inner + first + lane] = mine;
}

static void scale_one(const float* matrix, const float* factors, float* scaled, int outer, int inner, bool by_inner) {
  scale<<<dim3((outer + 255) / 256, inner), 256>>>(matrix, factors, outer, inner, by_inner);
  bring_back<<<dim3((inner + 31) / 32, outer), 32>>>(scaled, outer, inner);
}

void scale_rows(const float* row_major, const float* column_major, const float* factors, float* scaled_row_major,
                float* scaled_column_major, int rows, int cols) {
  scale_one(row_major, factors, scaled_row_major, rows, cols, false);
  scale_one(column_major, factors, scaled_column_major, cols, rows, true);
}
