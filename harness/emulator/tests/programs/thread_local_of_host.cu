// The host's thread-local variables are no shared memory: they keep their values over launches, may have initial values
// and constructors, and each thread of the host has its own. Kernels' shared variables stand beside them.
#include <cstdio>
#include <string>
#include <thread>

thread_local int counter = 5;
thread_local std::string name = "first";
static __thread float sums[4];

__shared__ int outer[8];

template <int n>
__global__ void turn(int* out) {
  __shared__ int tile[n];
  tile[threadIdx.x] = threadIdx.x;
  if (threadIdx.x < 8) outer[threadIdx.x] = threadIdx.x * 100;
  __syncthreads();
  out[threadIdx.x] = tile[n - 1 - threadIdx.x] + outer[threadIdx.x % 8];
}

int calls() {
  thread_local int calls = 0;
  thread_local std::string text(3, 'x');
  ++counter;
  sums[1] += 0.5f;
  text += 'y';
  return ++calls + static_cast<int>(text.size());
}

int main() {
  int *out, host[32];
  cudaMalloc(&out, sizeof host);
  calls();
  name += " thread";
  turn<32><<<1, 32>>>(out);
  calls();
  std::thread([] {
    const int count = calls();
    std::printf("another thread: %d calls and characters, counter %d, %s\n", count, counter, name.c_str());
  }).join();
  turn<32><<<1, 32>>>(out);
  cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
  const int count = calls();
  std::printf("%d %d; %d calls and characters, counter %d, sum %g, %s\n", host[0], host[9], count, counter, sums[1],
              name.c_str());
  cudaFree(out);
}
