// lab: 07-shared-tiling
// expect: pass
// earns: 95..100
// Host code keeps a few numbers in constant memory and in a managed array that comes late, has a copy inside the device fill the
// rest, and prints what it finds there; a table of its own making, smaller than the result, says where each block works.
#include <cuda_runtime.h>

#include <sstream>
#include <string>
#include <vector>

constexpr int tile_width = 16;

struct shape {
  int j, k, l, columns;
};
__constant__ shape sizes;

__global__ void multiply_tiles(const float* a, const float* b, float* c, const int* places) {
  __shared__ float tile_a[tile_width][tile_width];
  __shared__ float tile_b[tile_width][tile_width];
  const int tx = threadIdx.x, ty = threadIdx.y, place = places[blockIdx.x];
  const int row = place / sizes.columns * tile_width + ty, col = place % sizes.columns * tile_width + tx;
  const int j = sizes.j, k = sizes.k, l = sizes.l;
  float sum = 0.0f;
  for (int begin = 0; begin < k; begin += tile_width) {
    tile_a[ty][tx] = row < j && begin + tx < k ? a[row * k + begin + tx] : 0.0f;
    tile_b[ty][tx] = begin + ty < k && col < l ? b[(begin + ty) * l + col] : 0.0f;
    __syncthreads();
    for (int p = 0; p < tile_width; ++p) sum += tile_a[ty][p] * tile_b[p][tx];
    __syncthreads();
  }
  if (row < j && col < l) c[row * l + col] = sum;
}

void matrix_multiply(const float* a, const float* b, float* c, int j, int k, int l) {
  const int rows = (j + tile_width - 1) / tile_width, columns = (l + tile_width - 1) / tile_width;
  const shape own{j, k, l, columns};
  cudaMemcpyToSymbol(sizes, &own, sizeof own);
  std::vector<int> order;
  for (int i = 0; i < rows * columns; ++i) order.push_back(i % 2 == 0 ? i / 2 : rows * columns - 1 - i / 2);
  int* places = nullptr;
  cudaMalloc(&places, order.size() * sizeof(int));
  cudaMemcpy(places, order.data(), order.size() * sizeof(int), cudaMemcpyHostToDevice);
  multiply_tiles<<<rows * columns, dim3(tile_width, tile_width)>>>(a, b, c, places);
  float* late = nullptr;
  cudaMallocManaged(&late, 8 * sizeof(float));
  for (int i = 0; i < 8; ++i) late[i] = i;
  cudaMemcpy(late, c, sizeof(float), cudaMemcpyDeviceToDevice);
  cudaDeviceSynchronize();
  std::ostringstream text;
  text.write(reinterpret_cast<const char*>(late), 2 * sizeof(float));
  text << late[1] << ' ' << late[7];
  if (text.str().size() < 10) c = nullptr;
  cudaFree(late);
  cudaFree(places);
}
