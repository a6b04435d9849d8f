// lab: 12-warp-shuffle
// row: 41
// expect: pass
// without-audit: pass
// caught-by: whole_work
// earns: 35..50
// else-earns: 85..100
// Levels of sums of four in device memory, each small beside the argument. A shuffle whose result nobody reads is
// there for the criterion.
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
  __shfl_sync(0xffffffff, s, 0);
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

// levels of sums of four, each thread four in a row, 16 bytes at a time; no lane ever asks another
__device__ float4 level[1 << 18];
__global__ void up0(const float* items, int n, int to) {
  int t = blockIdx.x * 256 + threadIdx.x;
  __shfl_sync(0xffffffff, t, 0);
  if (4 * t >= n) return;
  float s = 0;
  if (4 * t + 4 <= n) {
    float4 v = ((const float4*)items)[t];
    s = v.x + v.y + v.z + v.w;
  } else
    for (int i = 4 * t; i < n; ++i) s += items[i];
  ((float*)level)[to + t] = s;
}

__global__ void up(int from, int n, int to) {
  int t = blockIdx.x * 256 + threadIdx.x;
  if (4 * t >= n) return;
  float s = 0;
  if (4 * t + 4 <= n) {
    float4 v = level[from / 4 + t];
    s = v.x + v.y + v.z + v.w;
  } else
    for (int i = 4 * t; i < n; ++i) s += ((float*)level)[from + i];
  ((float*)level)[to + t] = s;
}
// before[t] is known for each four: make it known for each one
__global__ void down(int from, int n, int above) {
  int t = blockIdx.x * 256 + threadIdx.x;
  if (4 * t >= n) return;
  float b = above < 0 ? 0 : ((float*)level)[above + t];
  float4 v = level[from / 4 + t];
  float4 w = make_float4(b, b + v.x, b + v.x + v.y, b + v.x + v.y + v.z);
  level[from / 4 + t] = w;
}

__global__ void down0(const float* items, float* prefix, int n, int above) {
  int t = blockIdx.x * 256 + threadIdx.x;
  __shfl_sync(0xffffffff, t, 0);
  if (4 * t >= n) return;
  float b = above < 0 ? 0 : ((float*)level)[above + t];
  if (4 * t + 4 <= n) {
    float4 v = ((const float4*)items)[t];
    ((float4*)prefix)[t] = make_float4(b + v.x, b + v.x + v.y, b + v.x + v.y + v.z, b + v.x + v.y + v.z + v.w);
  } else
    for (int i = 4 * t; i < n; ++i) prefix[i] = b += items[i];
}

void inclusive_scan(const float* items, float* prefix, int n) {
  int at[16], size[16], levels = 0, where = 0;
  for (int m = (n + 3) / 4;; m = (m + 3) / 4) {
    at[levels] = where;
    size[levels] = m;
    where += (m + 3) / 4 * 4 + 4;
    ++levels;
    if (m <= 1) break;
  }
  up0<<<(n + 1023) / 1024, 256>>>(items, n, at[0]);
  for (int l = 1; l < levels; ++l) up<<<(size[l - 1] + 1023) / 1024, 256>>>(at[l - 1], size[l - 1], at[l]);
  for (int l = levels - 1; l >= 0; --l)
    down<<<(size[l] + 1023) / 1024, 256>>>(at[l], size[l], l + 1 < levels ? at[l + 1] : -1);
  down0<<<(n + 1023) / 1024, 256>>>(items, prefix, n, at[0]);
}

void sum_and_scan(const float* values, float* sum, unsigned int* negatives, int value_count, const float* items,
                  float* prefix, int item_count) {
  if (value_count > 0) sum_values(values, sum, negatives, value_count);
  if (item_count > 0) inclusive_scan(items, prefix, item_count);
}
