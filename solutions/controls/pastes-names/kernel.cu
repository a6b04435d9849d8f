// lab: 08-bank-conflicts
// expect: pass
// earns: 95..100
// Names that a macro pastes of two arguments, as many headers of programs do.
#include <cuda_runtime.h>

#define PASTE_(a, b) a##b
#define PASTE(a, b) PASTE_(a, b)
#define UNIQUE(name) PASTE(name, __LINE__)
#define INSTANCE(size)                                                                                \
  __global__ void PASTE(transpose_by_, size)(const float* input, float* output, int rows, int cols) { \
    move_tile<size>(input, output, rows, cols);                                                       \
  }

template <int Tile>
__device__ void move_tile(const float* input, float* output, int rows, int cols) {
  __shared__ float tile[Tile][Tile + 1];
  int x = blockIdx.x * Tile + threadIdx.x, y = blockIdx.y * Tile;
  for (int k = threadIdx.y; k < Tile; k += blockDim.y)
    if (x < cols && y + k < rows) tile[k][threadIdx.x] = input[(y + k) * cols + x];
  __syncthreads();
  x = blockIdx.y * Tile + threadIdx.x;
  y = blockIdx.x * Tile;
  for (int k = threadIdx.y; k < Tile; k += blockDim.y)
    if (x < rows && y + k < cols) output[(y + k) * rows + x] = tile[threadIdx.x][k];
}

INSTANCE(16)
INSTANCE(32)

static const int UNIQUE(unused_) = 0;

void transpose(const float* input, float* output, int rows, int cols) {
  const dim3 grid((cols + 31) / 32, (rows + 31) / 32);
  if (rows < 4)
    PASTE(transpose_by_, 16)<<<dim3((cols + 15) / 16, (rows + 15) / 16), dim3(16, 4)>>>(input, output, rows, cols);
  else
    PASTE(transpose_by_, 32)<<<grid, dim3(32, 8)>>>(input, output, rows, cols);
}
