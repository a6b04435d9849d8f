#include "check.cuh"
#include "device.cuh"
namespace heat {
namespace {
template <int TILE>
__global__ void __launch_bounds__(TILE* TILE)
    stencil(const float* __restrict__ from, float* __restrict__ to, extent size) {
  __shared__ float tile[TILE + 2][TILE + 2];
  const int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;
  for (int row = threadIdx.y; row < TILE + 2; row += TILE)
    for (int column = threadIdx.x; column < TILE + 2; column += TILE)
      tile[row][column] = boundary_value(from, size, static_cast<int>(blockIdx.x) * TILE + column - 1,
                                         static_cast<int>(blockIdx.y) * TILE + row - 1);
  __syncthreads();
  if (x >= size.width || y >= size.height) return;
  const int i = threadIdx.x + 1, j = threadIdx.y + 1;
  const float here = tile[j][i];
  to[y * size.width + x] =
      here + rate_on_device * (tile[j][i - 1] + tile[j][i + 1] + tile[j - 1][i] + tile[j + 1][i] - 4 * here);
}
}  // namespace
void launch_stencil(const float* from, float* to, extent size, cudaStream_t stream) {
  const dim3 block(HEAT_TILE, HEAT_TILE);
  const dim3 grid((size.width + block.x - 1) / block.x, (size.height + block.y - 1) / block.y);
  stencil<HEAT_TILE><<<grid, block, 0, stream>>>(from, to, size);
  CHECK(cudaGetLastError());
}
}  // namespace heat
