// expect: correct=pass safe=pass fast=52..70
// Each thread of a block loads one byte into a tile, and only those of its middle compute: the threads of the halo, in every
// block of the image, have nothing more to do.
#include <cuda_runtime.h>

constexpr int tile_width = 32;

__global__ void blur_middle(const unsigned char* input, unsigned char* output, int width, int height, int channels,
                            int radius) {
  __shared__ unsigned char tile[tile_width][tile_width];
  const int row_bytes = width * channels, halo = radius * channels;
  const int col = blockIdx.x * (tile_width - 2 * halo) + threadIdx.x - halo;
  const int row = blockIdx.y * (tile_width - 2 * radius) + threadIdx.y - radius;
  const bool inside = row >= 0 && row < height && col >= 0 && col < row_bytes;
  tile[threadIdx.y][threadIdx.x] = inside ? input[row * row_bytes + col] : 0;
  __syncthreads();
  const int x = threadIdx.x, y = threadIdx.y;
  if (!inside || x < halo || x >= tile_width - halo || y < radius || y >= tile_width - radius) return;
  int sum = 0, pixels = 0;
  for (int dy = -radius; dy <= radius; ++dy) {
    for (int dx = -radius; dx <= radius; ++dx) {
      if (row + dy < 0 || row + dy >= height || col + dx * channels < 0 || col + dx * channels >= row_bytes) continue;
      sum += tile[y + dy][x + dx * channels];
      ++pixels;
    }
  }
  output[row * row_bytes + col] = (sum + pixels / 2) / pixels;
}

// A window that leaves no middle is summed up from global memory.
__global__ void blur_directly(const unsigned char* input, unsigned char* output, int width, int height, int channels,
                              int radius) {
  const int col = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row >= height || col >= width * channels) return;
  int sum = 0, pixels = 0;
  for (int r = max(row - radius, 0); r <= min(row + radius, height - 1); ++r) {
    for (int c = col - radius * channels; c <= col + radius * channels; c += channels) {
      if (c < 0 || c >= width * channels) continue;
      sum += input[r * width * channels + c];
      ++pixels;
    }
  }
  output[row * width * channels + col] = (sum + pixels / 2) / pixels;
}

void blur(const unsigned char* input, unsigned char* output, int width, int height, int channels, int radius) {
  const int across = tile_width - 2 * radius * channels, down = tile_width - 2 * radius;
  const dim3 block(tile_width, tile_width);
  if (across > 0) {
    const dim3 grid((width * channels + across - 1) / across, (height + down - 1) / down);
    blur_middle<<<grid, block>>>(input, output, width, height, channels, radius);
  } else {
    const dim3 grid((width * channels + 31) / 32, (height + 31) / 32);
    blur_directly<<<grid, block>>>(input, output, width, height, channels, radius);
  }
}
