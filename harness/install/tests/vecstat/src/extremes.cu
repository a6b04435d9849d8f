#include <cfloat>
#include "kernels.hpp"
#if !defined(__CUDACC__)
#error "CUDA"
#endif
namespace vecstat {
namespace detail {
__device__ __forceinline__ float warp_largest(float value) {
#if __CUDA_ARCH__ >= 700
  for (int lane = 16; lane > 0; lane /= 2) value = fmaxf(value, __shfl_xor_sync(0xffffffff, value, lane));
#else
  for (int lane = 16; lane > 0; lane /= 2) value = fmaxf(value, __shfl_xor_sync(~0u, value, lane));
#endif
  return value;
}
__global__ void __launch_bounds__(32) extremes_kernel(const float* values, int count, float* result) {
  float own = -FLT_MAX;
  for (int at = threadIdx.x; at < count; at += warpSize) own = fmaxf(own, values[at]);
  own = warp_largest(own);
  if (threadIdx.x == 0) *result = own;
}
cudaError_t extremes(const float* values, int count, float* result, cudaStream_t stream) {
  void* arguments[] = {&values, &count, &result};
  return cudaLaunchKernel(reinterpret_cast<const void*>(extremes_kernel), dim3(1), dim3(32), arguments, 0, stream);
}
}  // namespace detail
}  // namespace vecstat
