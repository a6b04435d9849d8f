// Aggregated atomics: threads of a warp that want the same counter let one of them add for all.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

namespace cg = cooperative_groups;

#define BINS 16
#define CHECK(call)                                                                  \
  {                                                                                  \
    const cudaError_t error = call;                                                  \
    if (error != cudaSuccess) {                                                      \
      printf("Error: %s:%d, %s\n", __FILE__, __LINE__, cudaGetErrorString(error));   \
      exit(1);                                                                       \
    }                                                                                \
  }

// One atomic for all threads that come here together; each gets a place of its own.
__device__ int atomicAggregatedInc(int *counter) {
  cg::coalesced_group active = cg::coalesced_threads();
  int first = 0;
  if (active.thread_rank() == 0) first = atomicAdd(counter, active.size());
  return active.shfl(first, 0) + active.thread_rank();
}

__global__ void filterPositive(const int *in, int *out, int *count, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    if (in[i] > 0) {
      const int place = atomicAggregatedInc(count);
      out[place] = in[i];
    }
  }
}

__global__ void histogramShared(const int *in, unsigned int *bins, int n) {
  __shared__ unsigned int local[BINS];
  cg::thread_block block = cg::this_thread_block();
  for (int b = block.thread_rank(); b < BINS; b += block.size()) local[b] = 0;
  block.sync();

  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    const int bin = abs(in[i]) % BINS;
    auto active = cg::coalesced_threads();
    auto same = cg::labeled_partition(active, bin);
    if (same.thread_rank() == 0) atomicAdd(&local[bin], same.size());
  }
  block.sync();

  for (int b = block.thread_rank(); b < BINS; b += block.size())
    if (local[b] > 0) atomicAdd(&bins[b], local[b]);
}

// Sums of the even and the odd values, by binary partition of full warps.
__global__ void sumsByParity(const int *in, int *sums, int n) {
  auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int value = i < n ? in[i] : 0;
  const bool odd = value % 2 != 0;
  auto group = cg::binary_partition(warp, odd);
  const int sum = cg::reduce(group, value, cg::plus<int>());
  if (group.thread_rank() == 0) atomicAdd(&sums[odd ? 1 : 0], sum);
}

int main(int argc, char **argv) {
  const int n = 20000;
  int *h_in = (int *)malloc(n * sizeof(int));
  srand(7);
  unsigned int expected[BINS] = {0};
  int positive = 0, parity[2] = {0, 0};
  long long positiveSum = 0;
  for (int i = 0; i < n; i++) {
    h_in[i] = (i * 2654435761u >> 16) % 201 - 100;
    expected[abs(h_in[i]) % BINS]++;
    parity[h_in[i] % 2 != 0] += h_in[i];
    if (h_in[i] > 0) {
      positive++;
      positiveSum += h_in[i];
    }
  }

  int *d_in, *d_out, *d_count, *d_sums;
  unsigned int *d_bins;
  CHECK(cudaMalloc((void **)&d_in, n * sizeof(int)));
  CHECK(cudaMalloc((void **)&d_out, n * sizeof(int)));
  CHECK(cudaMalloc((void **)&d_count, sizeof(int)));
  CHECK(cudaMalloc((void **)&d_sums, 2 * sizeof(int)));
  CHECK(cudaMalloc((void **)&d_bins, BINS * sizeof(unsigned int)));
  CHECK(cudaMemcpy(d_in, h_in, n * sizeof(int), cudaMemcpyHostToDevice));
  CHECK(cudaMemset(d_count, 0, sizeof(int)));
  CHECK(cudaMemset(d_sums, 0, 2 * sizeof(int)));
  CHECK(cudaMemset(d_bins, 0, BINS * sizeof(unsigned int)));

  filterPositive<<<16, 128>>>(d_in, d_out, d_count, n);
  histogramShared<<<16, 128>>>(d_in, d_bins, n);
  sumsByParity<<<(n + 127) / 128, 128>>>(d_in, d_sums, n);
  CHECK(cudaGetLastError());
  CHECK(cudaDeviceSynchronize());

  int count, sums[2];
  unsigned int bins[BINS];
  CHECK(cudaMemcpy(&count, d_count, sizeof(int), cudaMemcpyDeviceToHost));
  CHECK(cudaMemcpy(sums, d_sums, sizeof(sums), cudaMemcpyDeviceToHost));
  CHECK(cudaMemcpy(bins, d_bins, sizeof(bins), cudaMemcpyDeviceToHost));
  int *h_out = (int *)malloc(n * sizeof(int));
  CHECK(cudaMemcpy(h_out, d_out, count * sizeof(int), cudaMemcpyDeviceToHost));
  long long sum = 0;
  for (int i = 0; i < count; i++) sum += h_out[i];

  printf("filter: %s\n", count == positive && sum == positiveSum ? "PASS" : "FAIL");
  printf("histogram: %s\n", memcmp(bins, expected, sizeof(bins)) == 0 ? "PASS" : "FAIL");
  printf("parity: %s\n", sums[0] == parity[0] && sums[1] == parity[1] ? "PASS" : "FAIL");

  free(h_in);
  free(h_out);
  CHECK(cudaFree(d_in));
  CHECK(cudaFree(d_out));
  CHECK(cudaFree(d_count));
  CHECK(cudaFree(d_sums));
  CHECK(cudaFree(d_bins));
  return 0;
}
