// lab: 08-bank-conflicts
// expect: pass
// earns: 95..100
// A portable file's head: compilers by name and version, with a branch for each.
#include <cuda_runtime.h>

#if defined(__clang__)
#define COMPILER_NAME "clang"
#define COMPILER_MAJOR __clang_major__
#elif defined(__GNUC__)
#define COMPILER_NAME "gcc"
#define COMPILER_MAJOR __GNUC__
#elif defined(_MSC_VER)
#define COMPILER_NAME "msvc"
#define COMPILER_MAJOR _MSC_VER
#else
#error "this compiler is not known"
#endif
#if defined(__has_builtin)
#if __has_builtin(__builtin_expect)
#define LIKELY(x) __builtin_expect(!!(x), 1)
#endif
#endif
#ifndef LIKELY
#define LIKELY(x) (x)
#endif
#if defined(__CUDACC_VER_MAJOR__) && __CUDACC_VER_MAJOR__ < 9
#error "this file needs CUDA 9"
#endif
#ifdef __NVCC__
#define KERNEL __global__ void
#else
#define KERNEL static void
#endif
#include <type_traits>

static_assert(COMPILER_MAJOR >= 4, "an old " COMPILER_NAME);
constexpr int tile = std::is_same<decltype(1.0f), float>::value ? 32 : 16;

KERNEL move(const float* input, float* output, int rows, int cols) {
  __shared__ float lines[tile][tile + 1];
  const int x = threadIdx.x, col = blockIdx.x * tile + x;
  for (int y = threadIdx.y; y < tile; y += 8)
    if (LIKELY(blockIdx.y * tile + y < rows && col < cols)) lines[y][x] = input[(blockIdx.y * tile + y) * cols + col];
  __syncthreads();
  const int row = blockIdx.y * tile + x;
  for (int y = threadIdx.y; y < tile; y += 8)
    if (LIKELY(blockIdx.x * tile + y < cols && row < rows)) output[(blockIdx.x * tile + y) * rows + row] = lines[x][y];
}

void transpose(const float* input, float* output, int rows, int cols) {
  move<<<dim3((cols + tile - 1) / tile, (rows + tile - 1) / tile), dim3(tile, 8)>>>(input, output, rows, cols);
}
