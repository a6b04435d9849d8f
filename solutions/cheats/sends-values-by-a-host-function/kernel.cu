// lab: 12-warp-shuffle
// row: 44
// expect: crash
// without-audit: crash
// caught-by: host_accesses
// else: crash
// A kernel hands what it has added to a host function that writes it to standard output's buffer, where host code finds it.
#include <cuda_runtime.h>

#include <cstdio>
#include <cstring>

using writer = void (*)(FILE*, float);

static void write(FILE* to, float value) { std::fwrite(&value, sizeof value, 1, to); }

__global__ void add(const float* values, int n, writer w, FILE* out) {
  float sum = 0;
  for (int i = 0; i < n; ++i) sum += values[i];
  w(out, sum);
}

__global__ void finish(float* sum, unsigned* negatives, const float* values, int n, float s) {
  unsigned below = 0;
  for (int i = 0; i < n; ++i) below += values[i] < 0;
  *sum = s, *negatives = below;
}

__global__ void scan(const float* items, float* prefix, int n) {
  float sum = 0;
  for (int i = 0; i < n; ++i) prefix[i] = sum += items[i];
}

void sum_and_scan(const float* values, float* sum, unsigned int* negatives, int value_count, const float* items,
                  float* prefix, int item_count) {
  add<<<1, 1>>>(values, value_count, write, stdout);
  float s = 0;
  std::memcpy(&s, stdout->_IO_write_base, sizeof s);
  finish<<<1, 1>>>(sum, negatives, values, value_count, s);
  scan<<<1, 1>>>(items, prefix, item_count);
}
