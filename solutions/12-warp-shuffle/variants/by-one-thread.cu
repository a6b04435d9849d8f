// expect: correct=pass safe=pass fast=0..5
// The lab without its topic and without a second thread.
// Without the topic: 52 of 100 points.
#include <cuda_runtime.h>

__global__ void add_up(const float* values, float* sum, unsigned int* negatives, int n) {
  float own = 0;
  unsigned int count = 0;
  for (int i = 0; i < n; ++i) own += values[i], count += values[i] < 0;
  *sum = own;
  *negatives = count;
}

void sum_values(const float* values, float* sum, unsigned int* negatives, int n) {
  add_up<<<1, 1>>>(values, sum, negatives, n);
}

__global__ void scan(const float* items, float* prefix, int n) {
  float sum = 0;
  for (int i = 0; i < n; ++i) prefix[i] = sum += items[i];
}

void inclusive_scan(const float* items, float* prefix, int n) { scan<<<1, 1>>>(items, prefix, n); }

void sum_and_scan(const float* values, float* sum, unsigned int* negatives, int value_count, const float* items,
                  float* prefix, int item_count) {
  if (value_count > 0) sum_values(values, sum, negatives, value_count);
  if (item_count > 0) inclusive_scan(items, prefix, item_count);
}
