// lab: 02-global-coalescing
// expect: pass
// earns: 95..100
// Both matrices and the factors are copied to memory of the program's own first. All lanes of a row then ask for one factor.
#include <cuda_runtime.h>

__device__ float own_matrix[1 << 20], own_factors[1 << 14];

__global__ void scale(float* scaled, int lanes, int others, bool factor_of_lane) {
  const int lane = blockIdx.x * blockDim.x + threadIdx.x, other = blockIdx.y;
  if (lane < lanes) {
    const int i = other * lanes + lane;
    scaled[i] = own_factors[factor_of_lane ? lane : other] * own_matrix[i];
  }
}

static void scale_one(const float* matrix, float* scaled, int lanes, int others, bool factor_of_lane) {
  cudaMemcpyToSymbol(own_matrix, matrix, sizeof(float) * lanes * others, 0, cudaMemcpyDeviceToDevice);
  scale<<<dim3((lanes + 255) / 256, others), 256>>>(scaled, lanes, others, factor_of_lane);
}

void scale_rows(const float* row_major, const float* column_major, const float* factors, float* scaled_row_major,
                float* scaled_column_major, int rows, int cols) {
  cudaMemcpyToSymbol(own_factors, factors, sizeof(float) * rows, 0, cudaMemcpyDeviceToDevice);
  scale_one(row_major, scaled_row_major, cols, rows, false);
  scale_one(column_major, scaled_column_major, rows, cols, true);
}
