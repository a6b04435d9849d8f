// cuda::barrier, cuda::latch, cuda::counting_semaphore and cuda::pipeline in the manner of course code: a stencil that waits by
// tokens, staged copies of one thread and of a block, producers and consumers, and what cooperative groups add to an atomic.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include <cuda/barrier>
#include <cuda/latch>
#include <cuda/pipeline>
#include <cuda/semaphore>
#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>

namespace cg = cooperative_groups;

#define CHECK(call)                                                                \
  {                                                                                \
    const cudaError_t error = call;                                                \
    if (error != cudaSuccess) {                                                    \
      printf("Error: %s:%d, %s\n", __FILE__, __LINE__, cudaGetErrorString(error)); \
      exit(1);                                                                     \
    }                                                                              \
  }

typedef unsigned long long word;
#define N 2048
#define BLOCK 128

// Neighbours are read behind the wait; between arrival and wait each thread works on its own.
__global__ void smooth(const int *in, int *out) {
  __shared__ cuda::barrier<cuda::thread_scope_block> bar;
  __shared__ int tile[BLOCK];
  cg::thread_block block = cg::this_thread_block();
  if (block.thread_rank() == 0) init(&bar, block.size());
  block.sync();
  const int t = threadIdx.x, i = blockIdx.x * BLOCK + t;
  for (int round = 0; round < 3; round++) {
    tile[t] = round == 0 ? in[i] : out[i];
    auto token = bar.arrive();
    const int own = (round == 0 ? in[i] : out[i]) * 2;
    bar.wait(std::move(token));
    const int sum = own + tile[(t + 1) % BLOCK] + tile[(t + BLOCK - 1) % BLOCK];
    bar.arrive_and_wait();
    out[i] = sum & 0xffff;
  }
}

// Threads leave one after the other.
__global__ void leave(int *out) {
  __shared__ cuda::barrier<cuda::thread_scope_block> bar;
  __shared__ int left;
  if (threadIdx.x == 0) {
    init(&bar, blockDim.x);
    left = 0;
  }
  __syncthreads();
  for (int round = 0; round < 4; round++) {
    if ((int)threadIdx.x < 16 * round) {
      bar.arrive_and_drop();
      return;
    }
    if ((int)threadIdx.x == 16 * round) left += round + 1;
    bar.arrive_and_wait();
  }
  if (threadIdx.x == blockDim.x - 1) out[blockIdx.x] = left;
}

// A block's copy, tracked by a barrier.
__global__ void copyByBarrier(const int *in, int *out) {
  __shared__ cuda::barrier<cuda::thread_scope_block> bar;
  __shared__ alignas(16) int tile[BLOCK];
  auto block = cg::this_thread_block();
  if (block.thread_rank() == 0) init(&bar, block.size());
  block.sync();
  cuda::memcpy_async(block, tile, in + blockIdx.x * BLOCK, cuda::aligned_size_t<16>(sizeof(tile)), bar);
  bar.arrive_and_wait();
  out[blockIdx.x * BLOCK + threadIdx.x] = tile[BLOCK - 1 - threadIdx.x];
}

// Two stages, each thread with its own pipeline.
__global__ void copyByThread(const int *in, int *out, int rounds) {
  __shared__ int stages[2][BLOCK];
  auto pipe = cuda::make_pipeline();
  const int t = threadIdx.x, stride = gridDim.x * BLOCK, i = blockIdx.x * BLOCK + t;
  pipe.producer_acquire();
  cuda::memcpy_async(&stages[0][t], &in[i], sizeof(int), pipe);
  pipe.producer_commit();
  int sum = 0;
  for (int round = 0; round < rounds; round++) {
    if (round + 1 < rounds) {
      pipe.producer_acquire();
      cuda::memcpy_async(&stages[(round + 1) % 2][t], &in[(i + (round + 1) * stride) % N], sizeof(int), pipe);
      pipe.producer_commit();
      cuda::pipeline_consumer_wait_prior<1>(pipe);
    } else {
      cuda::pipeline_consumer_wait_prior<0>(pipe);
    }
    __syncthreads();
    sum = sum * 3 + stages[round % 2][BLOCK - 1 - t];
    __syncthreads();
    pipe.consumer_release();
  }
  out[i] = sum;
}

// The same by a block whose threads all produce and consume.
__global__ void copyByBlock(const int *in, int *out, int rounds) {
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
  __shared__ int stages[2][BLOCK];
  auto block = cg::this_thread_block();
  auto pipe = cuda::make_pipeline(block, &state);
  const int t = threadIdx.x, stride = gridDim.x * BLOCK, first = blockIdx.x * BLOCK;
  int sum = 0;
  for (int fetched = 0, round = 0; round < rounds; round++) {
    for (; fetched < rounds && fetched < round + 2; fetched++) {
      pipe.producer_acquire();
      cuda::memcpy_async(block, stages[fetched % 2], in + (first + fetched * stride) % N, sizeof(int) * BLOCK, pipe);
      pipe.producer_commit();
    }
    pipe.consumer_wait();
    sum = sum * 3 + stages[round % 2][BLOCK - 1 - t];
    pipe.consumer_release();
  }
  out[first + t] = sum;
}

// Warp 0 produces, the others consume.
__global__ void produceAndConsume(const int *in, int *out, int rounds) {
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
  __shared__ int stages[2][BLOCK - 32];
  auto block = cg::this_thread_block();
  const bool produces = threadIdx.x < 32;
  auto pipe = cuda::make_pipeline(block, &state, produces ? cuda::pipeline_role::producer : cuda::pipeline_role::consumer);
  const int stride = BLOCK - 32, first = blockIdx.x * stride * rounds;
  if (produces) {
    for (int round = 0; round < rounds; round++) {
      pipe.producer_acquire();
      for (int k = threadIdx.x; k < stride; k += 32)
        cuda::memcpy_async(&stages[round % 2][k], &in[(first + round * stride + k) % N], sizeof(int), pipe);
      pipe.producer_commit();
    }
  } else {
    int sum = 0;
    for (int round = 0; round < rounds; round++) {
      pipe.consumer_wait();
      sum = sum * 5 + stages[round % 2][stride - 1 - (threadIdx.x - 32)];
      pipe.consumer_release();
    }
    out[blockIdx.x * stride + threadIdx.x - 32] = sum;
  }
}

__global__ void latches(const int *in, int *out, cuda::latch<cuda::thread_scope_device> *ready,
                        cuda::counting_semaphore<cuda::thread_scope_device> *permits, int *inside) {
  if (threadIdx.x != 0) return;
  if (blockIdx.x > 0) {
    out[blockIdx.x] = in[blockIdx.x];
    ready->count_down();
  } else {
    ready->wait();
    int sum = 0;
    for (unsigned int b = 1; b < gridDim.x; b++) sum += out[b];
    out[0] = sum;
  }
  permits->acquire();
  inside[0] += 1;
  permits->release();
}
__global__ void makeLatches(cuda::latch<cuda::thread_scope_device> *ready,
                            cuda::counting_semaphore<cuda::thread_scope_device> *permits, int expected) {
  new (ready) cuda::latch<cuda::thread_scope_device>(expected);
  new (permits) cuda::counting_semaphore<cuda::thread_scope_device>(1);
}

// Groups whose result joins an atomic. One block, so that each place is drawn once.
__global__ void groupUpdates(const int *in, int *sums, int *places, int *behindPlaces) {
  auto tile = cg::tiled_partition<32>(cg::this_thread_block());
  const int value = in[blockIdx.x * BLOCK + threadIdx.x] & 0xff;
  cuda::atomic_ref<int, cuda::thread_scope_device> sum(sums[0]), most(sums[1]);
  cg::reduce_update_async(tile, sum, value, cg::plus<int>());
  cg::reduce_update_async(tile, most, value, cg::greater<int>());
  cuda::atomic_ref<int, cuda::thread_scope_device> next(sums[2]), last(sums[3]);
  const int place = cg::exclusive_scan_update(tile, next, 1, cg::plus<int>());
  places[place] = 1;
  const int behind = cg::inclusive_scan_update(tile, last, 1, cg::plus<int>());
  behindPlaces[behind - 1] = 2;
}

word hashed(const int *d, int n) {
  int *h = (int *)malloc(n * sizeof(int));
  CHECK(cudaMemcpy(h, d, n * sizeof(int), cudaMemcpyDeviceToHost));
  word hash = 0;
  for (int i = 0; i < n; i++) hash = (hash ^ (unsigned int)h[i]) * 0x100000001b3ull + 0x9e3779b97f4a7c15ull;
  free(h);
  return hash;
}

int main() {
  int *h_in = (int *)malloc(N * sizeof(int)), *in, *out;
  word lcg = 99;
  for (int i = 0; i < N; i++) {
    lcg = lcg * 6364136223846793005ull + 1442695040888963407ull;
    h_in[i] = (int)(lcg >> 45);
  }
  CHECK(cudaMalloc(&in, N * sizeof(int)));
  CHECK(cudaMalloc(&out, N * sizeof(int)));
  CHECK(cudaMemcpy(in, h_in, N * sizeof(int), cudaMemcpyHostToDevice));
  CHECK(cudaMemset(out, 0, N * sizeof(int)));
  smooth<<<N / BLOCK, BLOCK>>>(in, out);
  printf("smooth %016llx\n", hashed(out, N));
  CHECK(cudaMemset(out, 0, N * sizeof(int)));
  leave<<<4, 96>>>(out);
  printf("leave %016llx\n", hashed(out, 4));
  copyByBarrier<<<N / BLOCK, BLOCK>>>(in, out);
  printf("by barrier %016llx\n", hashed(out, N));
  copyByThread<<<4, BLOCK>>>(in, out, 4);
  printf("by thread %016llx\n", hashed(out, 4 * BLOCK));
  copyByBlock<<<4, BLOCK>>>(in, out, 4);
  printf("by block %016llx\n", hashed(out, 4 * BLOCK));
  CHECK(cudaMemset(out, 0, N * sizeof(int)));
  produceAndConsume<<<4, BLOCK>>>(in, out, 5);
  printf("by producers %016llx\n", hashed(out, 4 * (BLOCK - 32)));

  cuda::latch<cuda::thread_scope_device> *ready;
  cuda::counting_semaphore<cuda::thread_scope_device> *permits;
  int *sums;
  CHECK(cudaMalloc(&ready, sizeof(*ready)));
  CHECK(cudaMalloc(&permits, sizeof(*permits)));
  CHECK(cudaMalloc(&sums, 16));
  CHECK(cudaMemset(sums, 0, 16));
  makeLatches<<<1, 1>>>(ready, permits, 9);
  latches<<<10, 32>>>(in, out, ready, permits, sums);
  printf("latch %016llx, inside %016llx\n", hashed(out, 1), hashed(sums, 1));
  CHECK(cudaMemset(sums, 0, 16));
  CHECK(cudaMemset(out, 0, N * sizeof(int)));
  groupUpdates<<<1, BLOCK>>>(in, sums, out, out + BLOCK);
  printf("groups %016llx, places %016llx\n", hashed(sums, 4), hashed(out, 2 * BLOCK));
  CHECK(cudaFree(ready));
  CHECK(cudaFree(permits));
  CHECK(cudaFree(sums));
  CHECK(cudaFree(in));
  CHECK(cudaFree(out));
  free(h_in);
  return 0;
}
