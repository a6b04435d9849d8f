// lab: 07-shared-tiling
// expect: pass
// earns: 95..100
// Host code looks at a few bytes of managed memory after its kernels: by itself, by printf, by std::copy and by a string's
// functions, which are the library's; tables that the host has made go through a kernel before they are used.
#include <cuda_runtime.h>
#include <cstdio>

#include <algorithm>
#include <string>

constexpr int tile_width = 16;
__managed__ int finished_blocks;

__global__ void prepare(const int* steps, int* ready, int* state) {
  ready[threadIdx.x] = steps[threadIdx.x];
  if (threadIdx.x < 4) state[threadIdx.x] = threadIdx.x < 3 ? 'a' + threadIdx.x : 0;
}

__global__ void multiply_tiles(const float* a, const float* b, float* c, int j, int k, int l, const int* ready) {
  __shared__ float tile_a[tile_width][tile_width];
  __shared__ float tile_b[tile_width][tile_width];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int row = blockIdx.y * tile_width + ty, col = blockIdx.x * tile_width + tx;
  float sum = 0.0f;
  for (int begin = 0; begin < k; begin += tile_width) {
    tile_a[ty][tx] = row < j && begin + tx < k ? a[row * k + begin + tx] : 0.0f;
    tile_b[ty][tx] = begin + ty < k && col < l ? b[(begin + ty) * l + col] : 0.0f;
    __syncthreads();
    for (int p = 0; p < tile_width; ++p) sum += tile_a[ty][p] * tile_b[p][tx];
    __syncthreads();
  }
  if (row < j && col < l) c[row * l + col] = sum;
  if (tx == 0 && ty == 0 && ready != nullptr) atomicAdd(&finished_blocks, 1);
}

void matrix_multiply(const float* a, const float* b, float* c, int j, int k, int l) {
  const dim3 block(tile_width, tile_width);
  const dim3 grid((l + tile_width - 1) / tile_width, (j + tile_width - 1) / tile_width);
  int *steps = nullptr, *ready = nullptr, *state = nullptr;
  cudaMallocManaged(&steps, 64 * sizeof(int));
  cudaMalloc(&ready, 64 * sizeof(int));
  cudaMallocManaged(&state, 4 * sizeof(int));
  for (int i = 0; i < 64; ++i) steps[i] = i + 1;
  finished_blocks = 0;
  prepare<<<1, 64>>>(steps, ready, state);
  multiply_tiles<<<grid, block>>>(a, b, c, j, k, l, ready);
  cudaDeviceSynchronize();
  int copied[1];
  std::copy(state, state + 1, copied);
  std::string text;
  text.append(reinterpret_cast<const char*>(state), 8);
  if (copied[0] != 'a' || text[4] != 'b' || finished_blocks != static_cast<int>(grid.x * grid.y))
    std::printf("%s: %d\n", reinterpret_cast<const char*>(state), finished_blocks);
  cudaFree(state);
  cudaFree(ready);
  cudaFree(steps);
}
