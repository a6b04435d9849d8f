// lab: 08-bank-conflicts
// expect: pass
// As many blocks as the GPU holds at a time, each taking tile after tile.
#include <cuda_runtime.h>

constexpr int tile_width = 32, block_rows = 8;

__global__ void transpose_tiles(const float* input, float* output, int rows, int cols) {
  __shared__ float tile[tile_width][tile_width + 1];
  const int across = (cols + tile_width - 1) / tile_width, down = (rows + tile_width - 1) / tile_width;
  for (int t = blockIdx.x; t < across * down; t += gridDim.x) {
    const int left = t % across * tile_width, top = t / across * tile_width;
    for (int y = threadIdx.y; y < tile_width; y += block_rows)
      if (top + y < rows && left + threadIdx.x < cols)
        tile[y][threadIdx.x] = input[(top + y) * cols + left + threadIdx.x];
    __syncthreads();
    for (int y = threadIdx.y; y < tile_width; y += block_rows)
      if (left + y < cols && top + threadIdx.x < rows)
        output[(left + y) * rows + top + threadIdx.x] = tile[threadIdx.x][y];
    __syncthreads();
  }
}

void transpose(const float* input, float* output, int rows, int cols) {
  int device = 0, multiprocessors = 0, blocks = 0;
  cudaGetDevice(&device);
  cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device);
  cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, transpose_tiles, tile_width * block_rows, 0);
  transpose_tiles<<<multiprocessors * blocks, dim3(tile_width, block_rows)>>>(input, output, rows, cols);
}
