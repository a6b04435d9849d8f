// lab: 08-bank-conflicts
// expect: pass
// earns: 95..100
// Macros of the toolkit in code and in texts, lines that look like others in strings and comments, and a header behind a comment.
#include <cuda_runtime.h>
#include <cstdint>
#include <vector> /* for
# 7 "nothing" 1 3
nothing */
#include <cassert>

#define TEXT(x) #x
#define TEXT_OF(x) TEXT(x)
#define KERNEL(name) name##_kernel

const char* const built = "by " TEXT_OF(__CUDACC_VER_MAJOR__) " for " TEXT_OF(__cplusplus) ", " TEXT(__global__);
const char* const usage = R"(
# 1 "usage" 1 3
#define nothing
)";
constexpr int runtime = CUDART_VERSION, tile = runtime > 1'000 ? 32 : 16;

__global__ void KERNEL(move)(const float* input, float* output, int rows, int cols) {
  __shared__ float lines[tile][tile + 1];
  const std::int32_t x = threadIdx.x, col = blockIdx.x * tile + x, row = blockIdx.y * tile + x;
  for (int y = threadIdx.y; y < tile; y += 8)
    if (blockIdx.y * tile + y < rows && col < cols) lines[y][x] = input[(blockIdx.y * tile + y) * cols + col];
  __syncthreads();
  for (int y = threadIdx.y; y < tile; y += 8)
    if (blockIdx.x * tile + y < cols && row < rows) output[(blockIdx.x * tile + y) * rows + row] = lines[x][y];
}

void transpose(const float* input, float* output, int rows, int cols) {
  assert(built[0] == 'b' && usage[0] == '\n');
  move_kernel<<<dim3((cols + tile - 1) / tile, (rows + tile - 1) / tile), dim3(tile, 8)>>>(input, output, rows, cols);
}
