// expect: correct=fail safe=pass fast=not_measured
// Fills the results with zeros.
#include <cuda_runtime.h>

void sum_values(const float*, float* sum, unsigned int* negatives, int) {
  cudaMemset(sum, 0, sizeof(float));
  cudaMemset(negatives, 0, sizeof(unsigned int));
}

void inclusive_scan(const float*, float* prefix, int n) { cudaMemset(prefix, 0, n * sizeof(float)); }

void sum_and_scan(const float* values, float* sum, unsigned int* negatives, int value_count, const float* items,
                  float* prefix, int item_count) {
  if (value_count > 0) sum_values(values, sum, negatives, value_count);
  if (item_count > 0) inclusive_scan(items, prefix, item_count);
}
