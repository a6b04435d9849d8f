// lab: 07-shared-tiling
// expect: pass
// Host code sets and reads a flag in managed memory by atomic operations, and asks the clock.
#include <cuda_runtime.h>
#include <time.h>

#include <cstdio>

constexpr int width = 16;

__global__ void multiply(const float* a, const float* b, float* c, int j, int k, int l, int* done) {
  __shared__ float tile_a[width][width], tile_b[width][width];
  const int row = blockIdx.y * width + threadIdx.y, col = blockIdx.x * width + threadIdx.x;
  float sum = 0;
  for (int phase = 0; phase < k; phase += width) {
    const int x = phase + threadIdx.x, y = phase + threadIdx.y;
    tile_a[threadIdx.y][threadIdx.x] = row < j && x < k ? a[row * k + x] : 0.0f;
    tile_b[threadIdx.y][threadIdx.x] = y < k && col < l ? b[y * l + col] : 0.0f;
    __syncthreads();
    for (int p = 0; p < width; ++p) sum += tile_a[threadIdx.y][p] * tile_b[p][threadIdx.x];
    __syncthreads();
  }
  if (row < j && col < l) c[row * l + col] = sum;
  if (row == 0 && col == 0) atomicExch(done, 1);
}

void matrix_multiply(const float* a, const float* b, float* c, int j, int k, int l) {
  int* done = nullptr;
  cudaMallocManaged(&done, sizeof(int));
  __atomic_store_n(done, 0, __ATOMIC_SEQ_CST);
  timespec* when = nullptr;
  cudaMallocManaged(&when, sizeof(timespec));
  clock_gettime(CLOCK_MONOTONIC, when);
  multiply<<<dim3((l + width - 1) / width, (j + width - 1) / width), dim3(width, width)>>>(a, b, c, j, k, l, done);
  cudaDeviceSynchronize();
  int expected = 1;
  if (!__atomic_compare_exchange_n(done, &expected, 2, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST) ||
      __atomic_load_n(done, __ATOMIC_ACQUIRE) != 2)
    std::printf("not done since %ld\n", (long)when->tv_sec);
  cudaFree(done);
  cudaFree(when);
}
