// lab: 12-warp-shuffle
// row: 41
// expect: pass
// without-audit: pass
// caught-by: whole_work
// earns: 25..40
// else-earns: 25..40
// Sums and a scan in shared memory, the scan by one warp of a block. A vote whose result nobody reads is there for the
// criterion, which asks for shuffles.
#include <cuda_runtime.h>

__global__ void sum_and_count(const float* values, float* sum, unsigned int* negatives, int n) {
  __shared__ float part[256];
  __shared__ unsigned int counts[256];
  const int t = threadIdx.x;
  float own = 0;
  unsigned int count = 0;
  for (int i = blockIdx.x * 256 + t; i < n; i += gridDim.x * 256) own += values[i], count += values[i] < 0;
  __any_sync(0xffffffff, own > 0);
  part[t] = own, counts[t] = count;
  for (int half = 128; half > 0; half /= 2) {
    __syncthreads();
    if (t < half) part[t] += part[t + half], counts[t] += counts[t + half];
  }
  if (t == 0) atomicAdd(sum, part[0]), atomicAdd(negatives, counts[0]);
}

void sum_values(const float* values, float* sum, unsigned int* negatives, int n) {
  cudaMemset(sum, 0, sizeof(float));
  cudaMemset(negatives, 0, sizeof(unsigned int));
  sum_and_count<<<min((n + 4095) / 4096, 1056), 256>>>(values, sum, negatives, n);
}

__device__ float scratch[1 << 18];

__device__ int padded(int i) { return i + i / 8; }

// The first warp scans for all: each lane eight values, and the lanes' sums in five steps.
__global__ void scan_blocks(const float* items, float* prefix, int n) {
  __shared__ float part[288], sums[32];
  const int t = threadIdx.x, i = blockIdx.x * 256 + t;
  part[padded(t)] = i < n ? items[i] : 0.0f;
  __any_sync(0xffffffff, i < n);
  __syncthreads();
  if (t < 32) {
    float own[8], sum = 0;
    for (int k = 0; k < 8; ++k) own[k] = sum += part[t * 9 + k];
    float scanned = sum;
    for (int d = 1; d < 32; d *= 2) {
      sums[t] = scanned;
      __syncwarp();
      if (t >= d) scanned += sums[t - d];
      __syncwarp();
    }
    for (int k = 0; k < 8; ++k) part[t * 9 + k] = scanned - sum + own[k];
  }
  __syncthreads();
  if (i < n) prefix[i] = part[padded(t)];
  if (t == 255) scratch[blockIdx.x] = part[padded(255)];
}

__global__ void scan_totals(int count) {
  for (int b = 1; b < count; ++b) scratch[b] += scratch[b - 1];
}

__global__ void add_totals(float* prefix, int n) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (blockIdx.x > 0 && i < n) prefix[i] += scratch[blockIdx.x - 1];
}

void inclusive_scan(const float* items, float* prefix, int n) {
  const int blocks = (n + 255) / 256;
  scan_blocks<<<blocks, 256>>>(items, prefix, n);
  scan_totals<<<1, 1>>>(blocks);
  add_totals<<<blocks, 256>>>(prefix, n);
}

void sum_and_scan(const float* values, float* sum, unsigned int* negatives, int value_count, const float* items,
                  float* prefix, int item_count) {
  if (value_count > 0) sum_values(values, sum, negatives, value_count);
  if (item_count > 0) inclusive_scan(items, prefix, item_count);
}
