// lab: 12-warp-shuffle
// row: 41
// expect: pass
// without-audit: pass
// caught-by: whole_work
// earns: 0..27
// else-earns: 90..100
// One warp walks through all items, so that nothing is left to join.
#include <cuda_runtime.h>
constexpr unsigned whole_warp = 0xffffffff;
__global__ void add(const float* values, float* sum, unsigned* negatives, int n) {
  float own = 0;
  unsigned count = 0;
  for (int i = threadIdx.x; i < n; i += 32) own += values[i], count += values[i] < 0;
  for (int d = 16; d > 0; d /= 2)
    own += __shfl_down_sync(whole_warp, own, d), count += __shfl_down_sync(whole_warp, count, d);
  if (threadIdx.x == 0) *sum = own, *negatives = count;
}
__global__ void scan(const float* items, float* prefix, int n) {
  float carry = 0;
  for (int first = 0; first < n; first += 32) {
    const int i = first + threadIdx.x;
    float x = i < n ? items[i] : 0;
    for (int d = 1; d < 32; d *= 2) {
      const float left = __shfl_up_sync(whole_warp, x, d);
      if (threadIdx.x >= d) x += left;
    }
    x += carry;
    carry = __shfl_sync(whole_warp, x, 31);
    if (i < n) prefix[i] = x;
  }
}
void sum_and_scan(const float* values, float* sum, unsigned int* negatives, int value_count, const float* items,
                  float* prefix, int item_count) {
  if (value_count > 0) add<<<1, 32>>>(values, sum, negatives, value_count);
  if (item_count > 0) scan<<<1, 32>>>(items, prefix, item_count);
}
