// Lab 10: the largest value of each segment, by a tree whose warps stay whole.
//
// `values` has n floats. They are cut into segments of 1024; the last one may be shorter. largest[s] becomes the largest
// value of segment s. Both pointers are device memory; n is any number from 1 on, and values may be of any size and sign.
#include <cuda_runtime.h>

// One block works on one segment. Thread t reads the values t, t + block_size, t + 2 · block_size, … of it.
constexpr int segment = 1024;
constexpr int block_size = 256;

__global__ void largest_of_segment(const float* values, float* largest, int n) {
  __shared__ float best[block_size];
  const int t = threadIdx.x;

  // Step 1: the largest of this thread's own values. The last segment may have none for it: what can it leave then?
  //@@ begin solution
  const int begin = blockIdx.x * segment;
  float own = -INFINITY;
  for (int i = begin + t; i < begin + segment; i += block_size) {
    if (i < n) own = fmaxf(own, values[i]);
  }
  best[t] = own;
  //@@ end solution

  // Step 2: the tree. In each step half as many threads compare two elements of `best`. Which threads should these be, and
  // which elements, so that warps either work with all lanes or not at all?
  //@@ begin solution
  for (int half = block_size / 2; half >= 32; half /= 2) {
    __syncthreads();
    if (t < half) best[t] = fmaxf(best[t], best[t + half]);
  }
  //@@ end solution

  // Step 3: 32 values are left, and one warp. How can its lanes compare them without an `if` that parts them?
  //@@ begin solution
  if (t >= 32) return;
  own = best[t];
  for (int distance = 16; distance > 0; distance /= 2) {
    own = fmaxf(own, __shfl_down_sync(0xffffffff, own, distance));
  }
  if (t == 0) largest[blockIdx.x] = own;
  //@@ end solution
}

// Called by the tests. `values` and `largest` are device pointers.
void largest_of_segments(const float* values, float* largest, int n) {
  // One block for each segment, the shorter one at the end included.
  //@@ begin solution
  const int segments = (n + segment - 1) / segment;
  largest_of_segment<<<segments, block_size>>>(values, largest, n);
  //@@ end solution
}
