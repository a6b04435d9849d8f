#include "kernels.hpp"
namespace vecstat {
namespace detail {
template <int Block, typename T>
__global__ void sums_kernel(const T* __restrict__ values, int count, double* sums) {
  __shared__ double first[Block], second[Block];
  double own = 0, squares = 0;
  for (int at = blockIdx.x * Block + threadIdx.x; at < count; at += Block * gridDim.x) {
    const double value = __ldg(values + at);
    own += value;
    squares = fma(value, value, squares);
  }
  first[threadIdx.x] = own;
  second[threadIdx.x] = squares;
  __syncthreads();
#pragma unroll
  for (int step = Block / 2; step > 0; step >>= 1) {
    if (threadIdx.x < step) {
      first[threadIdx.x] += first[threadIdx.x + step];
      second[threadIdx.x] += second[threadIdx.x + step];
    }
    __syncthreads();
  }
  if (threadIdx.x == 0) {
    atomicAdd(sums, first[0]);
    atomicAdd(sums + 1, second[0]);
  }
}
cudaError_t moments(const float* values, int count, double* sums, cudaStream_t stream) {
  int smallest = 0, block = 0;
  cudaError_t status = cudaOccupancyMaxPotentialBlockSize(&smallest, &block, sums_kernel<128, float>);
  if (status != cudaSuccess) return status;
  sums_kernel<128><<<4, 128, 0, stream>>>(values, count, sums);
  return cudaPeekAtLastError();
}
}  // namespace detail
}  // namespace vecstat
