// lab: 12-warp-shuffle
// row: 35
// expect: forbidden
// without-audit: forbidden
// caught-by: kernel_writes
// Each of 1024 threads adds a part, and host code adds the parts, which it reads by atomic loads from managed memory.
#include <cuda_runtime.h>

#include <vector>

constexpr int threads = 1024;
struct table {
  float before[threads];
};

__global__ void add_parts(const float* values, float* parts, unsigned* counts, int n) {
  const int t = blockIdx.x * 256 + threadIdx.x;
  float sum = 0;
  unsigned count = 0;
  for (int i = t; i < n; i += threads) sum += values[i], count += values[i] < 0;
  parts[t] = __shfl_sync(0xffffffff, sum, threadIdx.x % 32);
  counts[t] = count;
}
__global__ void finish(float* sum, unsigned* negatives, float s, unsigned c) { *sum = s, *negatives = c; }
__global__ void add_chunks(const float* items, float* parts, int n, int each) {
  const int t = blockIdx.x * 256 + threadIdx.x;
  float sum = 0;
  for (int i = t * each; i < (t + 1) * each && i < n; ++i) sum += items[i];
  parts[t] = __shfl_sync(0xffffffff, sum, threadIdx.x % 32);
}
__global__ void scan_chunks(const float* items, float* prefix, table sums, int n, int each) {
  const int t = blockIdx.x * 256 + threadIdx.x;
  float sum = sums.before[t];
  for (int i = t * each; i < (t + 1) * each && i < n; ++i) prefix[i] = sum += items[i];
}

template <class T>
std::vector<T> fetched(const T* from) {
  std::vector<T> values(threads);
  for (int i = 0; i < threads; ++i) __atomic_load(from + i, &values[i], __ATOMIC_RELAXED);
  return values;
}

void sum_and_scan(const float* values, float* sum, unsigned int* negatives, int value_count, const float* items,
                  float* prefix, int item_count) {
  float* parts = nullptr;
  unsigned* counts = nullptr;
  cudaMallocManaged(&parts, threads * sizeof(float));
  cudaMallocManaged(&counts, threads * sizeof(unsigned));
  if (value_count > 0) {
    add_parts<<<threads / 256, 256>>>(values, parts, counts, value_count);
    cudaDeviceSynchronize();
    float all = 0;
    unsigned below = 0;
    for (const float part : fetched(parts)) all += part;
    for (const unsigned count : fetched(counts)) below += count;
    finish<<<1, 1>>>(sum, negatives, all, below);
  }
  if (item_count > 0) {
    const int each = (item_count + threads - 1) / threads;
    add_chunks<<<threads / 256, 256>>>(items, parts, item_count, each);
    cudaDeviceSynchronize();
    table sums{};
    float before = 0;
    int t = 0;
    for (const float part : fetched(parts)) {
      sums.before[t++] = before;
      before += part;
    }
    scan_chunks<<<threads / 256, 256>>>(items, prefix, sums, item_count, each);
    cudaDeviceSynchronize();
  }
  cudaFree(parts);
  cudaFree(counts);
}
