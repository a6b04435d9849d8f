#pragma once
#include <cuda_runtime_api.h>
namespace vecstat {
namespace detail {
cudaError_t moments(const float* values, int count, double* sums, cudaStream_t stream);
cudaError_t extremes(const float* values, int count, float* result, cudaStream_t stream);
}  // namespace detail
}  // namespace vecstat
