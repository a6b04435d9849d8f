#pragma once
#include <heat/grid.h>
namespace heat {
extern __constant__ float rate_on_device;
__device__ float boundary_value(const float* field, extent size, int x, int y);  // boundary.cu
__device__ int wrap(int at, int limit);
void launch_stencil(const float* from, float* to, extent size, cudaStream_t stream);
void launch_sum(const float* field, extent size, double* result, cudaStream_t stream);
void set_rate(float rate);
}  // namespace heat
