// cuda::atomic and cuda::atomic_ref in the manner of course code: counters, extremes, locks, flags, and all widths of whole
// numbers. What is printed depends on no order of threads.
#include <cuda/atomic>
#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>

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

template <class T>
struct results {
  T sum, difference, all, any, odd, least, most, swapped, exchanges;
};

// Each thread applies every operation that gives one result whatever the order.
template <class T>
__global__ void updateAll(const word *in, results<T> *out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= N) return;
  const T value = (T)in[i];
  cuda::atomic_ref<T, cuda::thread_scope_device>(out->sum).fetch_add(value, cuda::memory_order_relaxed);
  cuda::atomic_ref<T, cuda::thread_scope_device>(out->difference) -= value;
  cuda::atomic_ref<T, cuda::thread_scope_device>(out->all).fetch_and(value | (T)3, cuda::memory_order_relaxed);
  cuda::atomic_ref<T, cuda::thread_scope_device>(out->any) |= value & (T)0x55;
  cuda::atomic_ref<T, cuda::thread_scope_device>(out->odd).fetch_xor(value);
  cuda::atomic_ref<T, cuda::thread_scope_device>(out->least).fetch_min(value, cuda::memory_order_relaxed);
  cuda::atomic_ref<T, cuda::thread_scope_device>(out->most).fetch_max(value, cuda::memory_order_acq_rel);
  cuda::atomic_ref<T, cuda::thread_scope_device> swapped(out->swapped);
  T now = swapped.load(cuda::memory_order_relaxed);
  while (!swapped.compare_exchange_weak(now, (T)(now * 3 + (T)0), cuda::memory_order_relaxed)) continue;
  cuda::atomic_ref<T, cuda::thread_scope_device> exchanges(out->exchanges);
  exchanges++;
  ++exchanges;
  exchanges--;
}

template <class T>
void report(const char *name, const word *d_in) {
  results<T> h = {0, 0, (T)~(T)0, 0, 0, (T)100, 0, 1, 0}, *d;
  CHECK(cudaMalloc(&d, sizeof(h)));
  CHECK(cudaMemcpy(d, &h, sizeof(h), cudaMemcpyHostToDevice));
  updateAll<T><<<(N + 127) / 128, 128>>>(d_in, d);
  CHECK(cudaMemcpy(&h, d, sizeof(h), cudaMemcpyDeviceToHost));
  printf("%s: %llx %llx %llx %llx %llx %llx %llx %llx %llx\n", name, (word)h.sum, (word)h.difference, (word)h.all, (word)h.any,
         (word)h.odd, (word)h.least, (word)h.most, (word)h.swapped, (word)h.exchanges);
  CHECK(cudaFree(d));
}

struct pair {
  float value;
  int place;
};

// The largest value and its place, as one atomic of eight bytes.
__global__ void largest(const word *in, cuda::atomic<pair, cuda::thread_scope_device> *best, float *sums) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= N) return;
  pair mine = {(float)(in[i] % 100003), i}, now = best->load();
  while (mine.value > now.value || (mine.value == now.value && mine.place < now.place))
    if (best->compare_exchange_strong(now, mine)) break;
  cuda::atomic_ref<float, cuda::thread_scope_device>(sums[0]).fetch_add(0.5f, cuda::memory_order_relaxed);
  cuda::atomic_ref<float, cuda::thread_scope_device>(sums[1]).fetch_sub(0.25f);
}

// A histogram of the block, then of the grid.
__global__ void histogram(const word *in, cuda::atomic<unsigned int, cuda::thread_scope_device> *bins) {
  __shared__ cuda::atomic<unsigned int, cuda::thread_scope_block> local[16];
  if (threadIdx.x < 16) local[threadIdx.x].store(0, cuda::memory_order_relaxed);
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < N; i += gridDim.x * blockDim.x)
    local[in[i] % 16].fetch_add(1, cuda::memory_order_relaxed);
  __syncthreads();
  if (threadIdx.x < 16) bins[threadIdx.x] += local[threadIdx.x].load(cuda::memory_order_relaxed);
}

class SpinLock {
  cuda::atomic<int, cuda::thread_scope_device> taken;

 public:
  __host__ __device__ SpinLock() : taken(0) {}
  __device__ void lock() {
    while (taken.exchange(1, cuda::std::memory_order_acquire) != 0) taken.wait(1, cuda::std::memory_order_relaxed);
  }
  __device__ void unlock() {
    taken.store(0, cuda::std::memory_order_release);
    taken.notify_one();
  }
};

__global__ void makeLock(SpinLock *lock) { new (lock) SpinLock; }
__global__ void underTheLock(SpinLock *lock, int *count) {
  if (threadIdx.x != 0) return;
  lock->lock();
  *count += 1;
  lock->unlock();
}

__device__ cuda::atomic<int, cuda::thread_scope_device> flag{0};
__device__ int data;
__global__ void producerAndConsumer(int *out) {
  if (threadIdx.x != 0) return;
  if (blockIdx.x == 0) {
    data = 42;
    flag.store(1, cuda::memory_order_release);
    flag.notify_all();
  } else {
    flag.wait(0, cuda::memory_order_acquire);
    out[blockIdx.x] = data;
  }
}

int main() {
  word *h_in = (word *)malloc(N * sizeof(word)), *d_in, lcg = 7;
  for (int i = 0; i < N; i++) {
    lcg = lcg * 6364136223846793005ull + 1442695040888963407ull;
    h_in[i] = lcg >> (i % 40);
  }
  CHECK(cudaMalloc(&d_in, N * sizeof(word)));
  CHECK(cudaMemcpy(d_in, h_in, N * sizeof(word), cudaMemcpyHostToDevice));
  report<int>("int", d_in);
  report<unsigned int>("unsigned int", d_in);
  report<long long>("long long", d_in);
  report<word>("unsigned long long", d_in);
  report<short>("short", d_in);
  report<unsigned char>("unsigned char", d_in);

  cuda::atomic<pair, cuda::thread_scope_device> *best;
  pair h_best = {-1, 0};
  float *sums, h_sums[2] = {0, 0};
  CHECK(cudaMalloc(&best, sizeof(*best)));
  CHECK(cudaMemcpy(best, &h_best, sizeof(h_best), cudaMemcpyHostToDevice));
  CHECK(cudaMalloc(&sums, sizeof(h_sums)));
  CHECK(cudaMemcpy(sums, h_sums, sizeof(h_sums), cudaMemcpyHostToDevice));
  largest<<<(N + 127) / 128, 128>>>(d_in, best, sums);
  CHECK(cudaMemcpy(&h_best, best, sizeof(h_best), cudaMemcpyDeviceToHost));
  CHECK(cudaMemcpy(h_sums, sums, sizeof(h_sums), cudaMemcpyDeviceToHost));
  printf("largest %g at %d, sums %g %g\n", h_best.value, h_best.place, h_sums[0], h_sums[1]);

  cuda::atomic<unsigned int, cuda::thread_scope_device> *bins;
  unsigned int h_bins[16];
  CHECK(cudaMalloc(&bins, sizeof(h_bins)));
  CHECK(cudaMemset(bins, 0, sizeof(h_bins)));
  histogram<<<4, 128>>>(d_in, bins);
  CHECK(cudaMemcpy(h_bins, bins, sizeof(h_bins), cudaMemcpyDeviceToHost));
  printf("bins");
  for (int b = 0; b < 16; b++) printf(" %u", h_bins[b]);

  SpinLock *lock;
  int *out, h_out[8];
  CHECK(cudaMalloc(&lock, sizeof(SpinLock)));
  CHECK(cudaMalloc(&out, sizeof(h_out)));
  CHECK(cudaMemset(out, 0, sizeof(h_out)));
  makeLock<<<1, 1>>>(lock);
  underTheLock<<<12, 32>>>(lock, out);
  CHECK(cudaMemcpy(h_out, out, sizeof(h_out), cudaMemcpyDeviceToHost));
  printf("\nunder the lock %d\n", h_out[0]);
  producerAndConsumer<<<8, 32>>>(out);
  CHECK(cudaMemcpy(h_out, out, sizeof(h_out), cudaMemcpyDeviceToHost));
  printf("consumers");
  for (int b = 1; b < 8; b++) printf(" %d", h_out[b]);

  cuda::std::atomic<int> ofHost{3};
  ofHost += 4;
  int expected = 8;
  const bool swapped = ofHost.compare_exchange_strong(expected, 9);
  printf("\nhost %d %d %d\n", ofHost.load(), expected, (int)swapped);
  CHECK(cudaFree(d_in));
  CHECK(cudaFree(best));
  CHECK(cudaFree(sums));
  CHECK(cudaFree(bins));
  CHECK(cudaFree(lock));
  CHECK(cudaFree(out));
  free(h_in);
  return 0;
}
