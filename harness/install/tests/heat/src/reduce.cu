#include <cooperative_groups.h>
#include "check.cuh"
#include "device.cuh"
namespace cg = cooperative_groups;
namespace heat {
namespace {
template <typename F>
__global__ void sum(std::size_t count, F value, double* result) {
  auto block = cg::this_thread_block();
  auto warp = cg::tiled_partition<32>(block);
  double own = 0;
  for (std::size_t at = blockIdx.x * static_cast<std::size_t>(blockDim.x) + threadIdx.x; at < count;
       at += static_cast<std::size_t>(gridDim.x) * blockDim.x)
    own += value(at);
  for (int offset = warp.size() / 2; offset > 0; offset /= 2) own += warp.shfl_down(own, offset);
  extern __shared__ double partial[];
  if (warp.thread_rank() == 0) partial[threadIdx.x / 32] = own;
  block.sync();
  if (threadIdx.x == 0) {
    double all = 0;
    for (unsigned i = 0; i < blockDim.x / 32; ++i) all += partial[i];
    atomicAdd(result, all);
  }
}
}  // namespace
void launch_sum(const float* field, extent size, double* result, cudaStream_t stream) {
  CHECK(cudaMemsetAsync(result, 0, sizeof *result, stream));
  auto value = [=] __device__(std::size_t at) { return static_cast<double>(field[at]); };
  sum<<<8, 128, 128 / 32 * sizeof(double), stream>>>(size.cells(), value, result);
  CHECK(cudaGetLastError());
}
}  // namespace heat
