// A thread's stack: a function that stores to its own frame's return address is stopped, deep and large frames are in order, and
// no block finds what the last one left.
#include <cstdio>
#include <cstring>

constexpr int lanes = 32, blocks = 3;

__device__ __noinline__ int stores_beyond(int number) {
  long own[2] = {number, number};
  volatile long* word = own;
  for (int i = 0; i < 20; ++i) word[i] = number + i;
  return static_cast<int>(word[1]);
}
__global__ void changes_its_frame(int* out) { out[threadIdx.x] = stores_beyond(threadIdx.x); }

__global__ void looks_for_the_last(int* out) {
  volatile int own[300];
  if (own[0] == 4711) atomicAdd(&out[threadIdx.x], 1);
  own[0] = 4711;
}

__device__ __noinline__ int sum_of_calls(const int* callers, int calls) {
  int own[500];
  for (int i = 0; i < 500; ++i) own[i] = callers == nullptr ? i : callers[i] + 1;
  return calls == 0 ? own[10] : sum_of_calls(own, calls - 1);
}
__global__ void goes_deep(int* out) { out[threadIdx.x] = sum_of_calls(nullptr, 20 + blockIdx.x) - 30 - blockIdx.x; }

int main(int count, char** words) {
  const char* const name = count > 1 ? words[1] : "";
  int* out;
  cudaMalloc(&out, lanes * sizeof(int));
  cudaMemset(out, 0, lanes * sizeof(int));
  if (strcmp(name, "beyond") == 0) changes_its_frame<<<1, lanes>>>(out);
  if (strcmp(name, "last") == 0) looks_for_the_last<<<blocks, lanes>>>(out);
  if (strcmp(name, "deep") == 0)
    for (int i = 0; i < blocks; ++i) goes_deep<<<1, lanes>>>(out);
  int host[lanes];
  const cudaError_t error = cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
  int zeros = 0;
  for (int i = 0; error == cudaSuccess && i < lanes; ++i) zeros += host[i] == 0;
  printf("%s: %d of %d are 0\n", cudaGetErrorName(error), zeros, lanes);
  cudaFree(out);
  return 0;
}
