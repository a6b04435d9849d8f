// One function for groups of any size: a block, a tile, a tile of a tile. The data come by a copy that the group makes.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>

#include <cstdio>
#include <vector>

using namespace cooperative_groups;

#define CHECK_CUDA(x)                                                                              \
  if (cudaError_t e = (x); e != cudaSuccess) {                                                     \
    std::printf("%s failed: %s\n", #x, cudaGetErrorString(e));                                     \
    return 1;                                                                                      \
  }

// The sum of `val` over the group, in shared memory; the group's first thread returns it.
__device__ int reduceSum(thread_group g, int *temp, int val) {
  int lane = g.thread_rank();
  for (int i = g.size() / 2; i > 0; i /= 2) {
    temp[lane] = val;
    g.sync();  // all threads have stored
    if (lane < i) val += temp[lane + i];
    g.sync();  // all threads have loaded
  }
  return val;
}

__device__ int sumOfPart(const int *input, int n) {
  int sum = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n / 4; i += blockDim.x * gridDim.x) {
    const int4 in = reinterpret_cast<const int4 *>(input)[i];
    sum += in.x + in.y + in.z + in.w;
  }
  return sum;
}

__global__ void sumByBlock(int *sum, const int *input, int n) {
  extern __shared__ int temp[];
  auto g = this_thread_block();
  int blockSum = reduceSum(g, temp, sumOfPart(input, n));
  if (g.thread_rank() == 0) atomicAdd(sum, blockSum);
}

__global__ void sumByTile(int *sum, const int *input, int n, int tileSize) {
  extern __shared__ int temp[];
  auto block = this_thread_block();
  thread_group tile = tiled_partition(block, tileSize);
  int *own = &temp[block.thread_rank() / tileSize * tileSize];
  int tileSum = reduceSum(tile, own, sumOfPart(input, n));
  if (tile.thread_rank() == 0) atomicAdd(sum, tileSum);
}

__global__ void sumByStaticTile(int *sum, const int *input, int n) {
  extern __shared__ int temp[];
  thread_block_tile<32> warp = tiled_partition<32>(this_thread_block());
  thread_group half = tiled_partition(warp, 16);
  int *own = &temp[this_thread_block().thread_rank() / 16 * 16];
  int tileSum = reduceSum(half, own, sumOfPart(input, n));
  if (half.thread_rank() == 0) atomicAdd(sum, tileSum);
}

// Every tile brings a row to shared memory, and each thread adds its row's neighbours.
template <unsigned TileSize>
__global__ void smoothRows(const float *in, float *out, int rows) {
  __shared__ float row[128];
  thread_block block = this_thread_block();
  auto tile = tiled_partition<TileSize>(block);
  float *own = row + tile.meta_group_rank() * TileSize;
  const int r = blockIdx.x * tile.meta_group_size() + tile.meta_group_rank();
  if (r >= rows) return;
  memcpy_async(tile, own, in + r * TileSize, sizeof(float) * TileSize);
  wait(tile);
  const int t = tile.thread_rank();
  const float left = own[t > 0 ? t - 1 : t], right = own[t + 1 < TileSize ? t + 1 : t];
  out[r * TileSize + t] = (left + own[t] + right) / 3;
}

int main() {
  const int n = 1 << 14, blockSize = 128, blocks = 8;
  int *data, *sum;
  CHECK_CUDA(cudaMallocManaged(&data, n * sizeof(int)));
  CHECK_CUDA(cudaMallocManaged(&sum, 4 * sizeof(int)));
  int expected = 0;
  for (int i = 0; i < n; ++i) expected += data[i] = i % 31 - 10;
  for (int i = 0; i < 4; ++i) sum[i] = 0;

  const int bytes = blockSize * sizeof(int);
  sumByBlock<<<blocks, blockSize, bytes>>>(&sum[0], data, n);
  sumByTile<<<blocks, blockSize, bytes>>>(&sum[1], data, n, 8);
  sumByTile<<<blocks, blockSize, bytes>>>(&sum[2], data, n, 32);
  sumByStaticTile<<<blocks, blockSize, bytes>>>(&sum[3], data, n);
  CHECK_CUDA(cudaDeviceSynchronize());
  for (int i = 0; i < 4; ++i) std::printf("sum %d: %s\n", i, sum[i] == expected ? "right" : "wrong");

  constexpr int width = 16, rows = 101;
  std::vector<float> host(width * rows), smooth(width * rows);
  for (int i = 0; i < width * rows; ++i) host[i] = (i * 37) % 19;
  float *in, *out;
  CHECK_CUDA(cudaMalloc(&in, host.size() * sizeof(float)));
  CHECK_CUDA(cudaMalloc(&out, host.size() * sizeof(float)));
  CHECK_CUDA(cudaMemcpy(in, host.data(), host.size() * sizeof(float), cudaMemcpyHostToDevice));
  smoothRows<width><<<(rows + 7) / 8, 128>>>(in, out, rows);
  CHECK_CUDA(cudaMemcpy(smooth.data(), out, host.size() * sizeof(float), cudaMemcpyDeviceToHost));
  int wrong = 0;
  for (int r = 0; r < rows; ++r)
    for (int t = 0; t < width; ++t) {
      const float *row = &host[r * width];
      const float value = (row[t > 0 ? t - 1 : t] + row[t] + row[t + 1 < width ? t + 1 : t]) / 3;
      wrong += smooth[r * width + t] != value;
    }
  std::printf("smooth: %s\n", wrong == 0 ? "right" : "wrong");
  cudaFree(in);
  cudaFree(out);
  cudaFree(data);
  cudaFree(sum);
}
