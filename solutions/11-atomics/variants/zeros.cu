// expect: correct=fail safe=pass fast=not_measured
// Fills both results with zeros.
#include <cuda_runtime.h>

void histogram(const unsigned char*, unsigned int* bins, int) { cudaMemset(bins, 0, 256 * sizeof(unsigned int)); }

void maximum(const float*, float* largest, int) { cudaMemset(largest, 0, sizeof(float)); }

void histogram_and_maximum(const unsigned char* bytes, unsigned int* bins, int byte_count, const float* values,
                           float* largest, int value_count) {
  if (byte_count > 0) histogram(bytes, bins, byte_count);
  if (value_count > 0) maximum(values, largest, value_count);
}
