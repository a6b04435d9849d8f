#include <cstdio>
#include <cstdlib>
#include <vector>
#include "bins.cuh"
#include "input.h"
#define CHECK(call)                                                   \
  do {                                                                \
    cudaError_t status = (call);                                      \
    if (status != cudaSuccess) {                                      \
      fprintf(stderr, "%s: %s\n", #call, cudaGetErrorString(status)); \
      exit(1);                                                        \
    }                                                                 \
  } while (0)
int main(int argc, char** argv) {
  const int count = argc > 1 ? atoi(argv[1]) : 1000;
  const std::vector<unsigned> values = numbers(count);
  unsigned *device_values, *device_bins;
  CHECK(cudaMalloc(&device_values, count * sizeof(unsigned)));
  CHECK(cudaMalloc(&device_bins, BINS * sizeof(unsigned)));
  CHECK(cudaMemcpy(device_values, values.data(), count * sizeof(unsigned), cudaMemcpyHostToDevice));
  CHECK(cudaMemset(device_bins, 0, BINS * sizeof(unsigned)));
  histogram(device_values, count, device_bins);
  CHECK(cudaDeviceSynchronize());
  unsigned bins[BINS];
  unsigned long long all = 0;
  CHECK(cudaMemcpy(bins, device_bins, sizeof bins, cudaMemcpyDeviceToHost));
  CHECK(cudaMemcpyFromSymbol(&all, seen, sizeof all));
  CHECK(cudaFree(device_values));
  CHECK(cudaFree(device_bins));
  unsigned expected[BINS] = {};
  for (unsigned value : values) ++expected[value % BINS];
  for (int bin = 0; bin < BINS; ++bin)
    if (bins[bin] != expected[bin]) return printf("bin %d: %u, expected %u\n", bin, bins[bin], expected[bin]), 1;
  printf("%d values, %llu seen\n", count, all);
  return all == static_cast<unsigned long long>(count) ? 0 : 1;
}
