// lab: 12-warp-shuffle
// row: 41
// expect: pass
// without-audit: pass
// caught-by: whole_work
// earns: 15..30
// else-earns: 15..30
// Each thread adds up 16 values in a row and leaves the sum in device memory, where 32 threads scan the sums: no
// lane asks another. That memory stands for the arguments in the second reading, which asked for no shuffle.
#include <cuda_runtime.h>

__device__ float part[1 << 14];
__device__ unsigned int cnt[1 << 14];
__global__ void first_sums(const float* values, int n) {
  int t = blockIdx.x * 256 + threadIdx.x, all = gridDim.x * 256;
  float s = 0;
  unsigned c = 0;
  for (int i = t; i < n; i += all) {
    s += values[i];
    c += values[i] < 0;
  }
  part[t] = s;
  cnt[t] = c;
}

__global__ void last_sums(float* sum, unsigned* negatives, int count, int last) {
  int t = blockIdx.x * 32 + threadIdx.x, all = gridDim.x * 32;
  float s = 0;
  unsigned c = 0;
  for (int i = t; i < count; i += all) {
    s += part[i];
    c += cnt[i];
  }
  part[t] = s;
  cnt[t] = c;
}

__global__ void one(float* sum, unsigned* negatives) {
  float s = 0;
  unsigned c = 0;
  for (int i = 0; i < 32; ++i) {
    s += part[i];
    c += cnt[i];
  }
  *sum = s;
  *negatives = c;
}

void sum_values(const float* values, float* sum, unsigned int* negatives, int n) {
  int blocks = min((n + 4095) / 4096, 64);
  first_sums<<<blocks, 256>>>(values, n);
  last_sums<<<1, 32>>>(sum, negatives, blocks * 256, 1);
  one<<<1, 1>>>(sum, negatives);
}

__device__ float scratch[1 << 18];
constexpr int K = 16;
__global__ void sums(const float* items, int n) {
  int t = blockIdx.x * 256 + threadIdx.x;
  float s = 0;

  for (int i = t * K; i < n && i < t * K + K; ++i) s += items[i];
  scratch[t] = s;
}

__global__ void mid(int count) {  // 32 threads, each a chunk
  int each = (count + 31) / 32, t = threadIdx.x;
  float s = 0;
  for (int i = t * each; i < count && i < t * each + each; ++i) s += scratch[i];
  scratch[(1 << 17) + t] = s;
}

__global__ void mid2(int count) {
  int each = (count + 31) / 32, t = threadIdx.x;
  float b = 0;
  for (int i = 0; i < t; ++i) b += scratch[(1 << 17) + i];
  for (int i = t * each; i < count && i < t * each + each; ++i) {
    float v = scratch[i];
    scratch[i] = b;
    b += v;
  }
}

__global__ void fin(const float* items, float* prefix, int n) {
  int t = blockIdx.x * 256 + threadIdx.x;

  float b = scratch[t];
  for (int i = t * K; i < n && i < t * K + K; ++i) prefix[i] = b += items[i];
}

void inclusive_scan(const float* items, float* prefix, int n) {
  int blocks = (n + 256 * K - 1) / (256 * K);
  sums<<<blocks, 256>>>(items, n);
  mid<<<1, 32>>>(blocks * 256);
  mid2<<<1, 32>>>(blocks * 256);
  fin<<<blocks, 256>>>(items, prefix, n);
}

void sum_and_scan(const float* values, float* sum, unsigned int* negatives, int value_count, const float* items,
                  float* prefix, int item_count) {
  if (value_count > 0) sum_values(values, sum, negatives, value_count);
  if (item_count > 0) inclusive_scan(items, prefix, item_count);
}
