// lab: 12-warp-shuffle
// row: 41
// expect: pass
// without-audit: pass
// caught-by: whole_work
// earns: 40..55
// else-earns: 80..100
// The steps of a block's scan hand values on through global memory, so that none goes through shared memory.
#include <cuda_runtime.h>

constexpr int threads = 256;

__device__ float scan_warp(float x) {
  for (int step = 1; step < 32; step *= 2) {
    const float before = __shfl_up_sync(0xffffffff, x, step);
    if (threadIdx.x % 32 >= step) x += before;
  }
  return x;
}

__device__ float scan_block(float x) {
  __shared__ float warps[32];
  x = scan_warp(x);
  if (threadIdx.x % 32 == 31) warps[threadIdx.x / 32] = x;
  __syncthreads();
  if (threadIdx.x < 32) {
    const float y = scan_warp(threadIdx.x < blockDim.x / 32 ? warps[threadIdx.x] : 0.0f);
    __syncwarp();
    if (threadIdx.x < blockDim.x / 32) warps[threadIdx.x] = y;
  }
  __syncthreads();
  return threadIdx.x < 32 ? x : x + warps[threadIdx.x / 32 - 1];
}

__global__ void scan_blocks(const float* items, float* prefix, float* totals, float* steps, int count, int n) {
  const int i = blockIdx.x * threads + threadIdx.x;
  float x = __shfl_sync(0xffffffff, i < n ? items[i] : 0.0f, threadIdx.x % 32);
  for (int step = 1, half = 0; step < threads; step *= 2, half = count - half) {
    steps[half + i] = x;
    __syncthreads();
    if (threadIdx.x >= step) x += steps[half + i - step];
  }
  if (i < n) prefix[i] = x;
  if (threadIdx.x == threads - 1) totals[blockIdx.x] = x;
}

__global__ void scan_totals(float* totals, int n) {
  const float x = scan_block(threadIdx.x < n ? totals[threadIdx.x] : 0.0f);
  if (threadIdx.x < n) totals[threadIdx.x] = x;
}

__global__ void add_totals(float* prefix, const float* totals, int n) {
  const int i = (blockIdx.x + 1) * threads + threadIdx.x;
  if (i < n) prefix[i] += totals[blockIdx.x];
}

__global__ void add(const float* values, float* sum, unsigned int* negatives, int n) {
  __shared__ float sums[threads / 32];
  float x = 0;
  int below = 0;
  for (int i = blockIdx.x * threads + threadIdx.x; i < n; i += gridDim.x * threads) {
    x += values[i];
    below += values[i] < 0;
  }
  for (int step = 16; step > 0; step /= 2) {
    x += __shfl_down_sync(0xffffffff, x, step);
    below += __shfl_down_sync(0xffffffff, below, step);
  }
  if (threadIdx.x % 32 == 0) {
    sums[threadIdx.x / 32] = x;
    if (below > 0) atomicAdd(negatives, below);
  }
  __syncthreads();
  if (threadIdx.x == 0) {
    for (int w = 1; w < threads / 32; ++w) x += sums[w];
    atomicAdd(sum, x);
  }
}

void sum_and_scan(const float* values, float* sum, unsigned int* negatives, int value_count, const float* items,
                  float* prefix, int item_count) {
  if (value_count > 0) {
    cudaMemset(sum, 0, sizeof(float));
    cudaMemset(negatives, 0, sizeof(unsigned int));
    add<<<32, threads>>>(values, sum, negatives, value_count);
  }
  if (item_count > 0) {
    const int blocks = (item_count + threads - 1) / threads;
    float *totals, *steps;
    cudaMalloc(&totals, blocks * sizeof(float));
    cudaMalloc(&steps, 2 * blocks * threads * sizeof(float));
    scan_blocks<<<blocks, threads>>>(items, prefix, totals, steps, blocks * threads, item_count);
    scan_totals<<<1, 1024>>>(totals, blocks);
    if (blocks > 1) add_totals<<<blocks - 1, threads>>>(prefix, totals, item_count);
    cudaFree(totals);
    cudaFree(steps);
  }
}
