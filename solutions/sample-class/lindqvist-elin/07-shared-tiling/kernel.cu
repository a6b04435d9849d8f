#include <cuda_runtime.h>

namespace {

template <int TILE>
__global__ void gemm(const float* __restrict__ a, const float* __restrict__ b, float* __restrict__ c, int j, int k,
                     int l) {
  extern __shared__ float smem[];
  float* as = smem;
  float* bs = smem + TILE * TILE;

  const int row = blockIdx.y * TILE + threadIdx.y;
  const int col = blockIdx.x * TILE + threadIdx.x;
  const int me = threadIdx.y * TILE + threadIdx.x;

  float acc = 0.f;
  for (int base = 0; base < k; base += TILE) {
    const int ac = base + threadIdx.x;
    const int br = base + threadIdx.y;
    as[me] = (row < j && ac < k) ? a[row * k + ac] : 0.f;
    bs[me] = (br < k && col < l) ? b[br * l + col] : 0.f;
    __syncthreads();
#pragma unroll
    for (int i = 0; i < TILE; ++i) acc += as[threadIdx.y * TILE + i] * bs[i * TILE + threadIdx.x];
    __syncthreads();
  }
  if (row < j && col < l) c[row * l + col] = acc;
}

int ceilDiv(int x, int y) { return (x + y - 1) / y; }

}  // namespace

void matrix_multiply(const float* a, const float* b, float* c, int j, int k, int l) {
  constexpr int TILE = 32;
  const dim3 grid(ceilDiv(l, TILE), ceilDiv(j, TILE));
  gemm<TILE><<<grid, dim3(TILE, TILE), 2 * TILE * TILE * sizeof(float)>>>(a, b, c, j, k, l);
}
