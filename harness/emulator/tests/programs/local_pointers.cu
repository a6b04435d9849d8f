// Pointers to local arrays that go from thread to thread: what another thread makes of them is an error, and what comes
// back to its owner is in order.
#include <cstdio>
#include <cstring>

constexpr int lanes = 32, values = 4;

__device__ void fill(int* own) {
  for (int i = 0; i < values; ++i) own[i] = 10 * threadIdx.x + i;
}

__device__ int* neighbours(int* own, int distance) {
  const unsigned long long address = reinterpret_cast<unsigned long long>(own);
  return reinterpret_cast<int*>(__shfl_sync(0xffffffff, address, (threadIdx.x + distance) % lanes));
}

__global__ void reads_by_shuffle(int* out) {
  int own[values];
  fill(own);
  int sum = 0;
  for (int distance = 0; distance < 2; ++distance) sum += neighbours(own, distance)[threadIdx.x % values];
  out[threadIdx.x] = sum;
  __syncwarp();
}

__global__ void writes_through_shared(int* out) {
  __shared__ int* pointers[lanes];
  int own[values];
  fill(own);
  pointers[threadIdx.x] = own;
  __syncthreads();
  pointers[lanes - 1 - threadIdx.x][0] = threadIdx.x;
  __syncthreads();
  out[threadIdx.x] = own[0];
}

__device__ int* volatile of_first;
__global__ void adds_through_global(int* out) {
  int own[values] = {};
  if (threadIdx.x == 0) of_first = own;
  __syncthreads();
  atomicAdd(of_first, 1);
  __syncthreads();
  out[threadIdx.x] = own[0];
}

struct pair_of_rows {
  int first[values], second[values];
};
__global__ void copies_a_structure(int* out) {
  pair_of_rows own;
  fill(own.first);
  fill(own.second);
  const auto* other = reinterpret_cast<const pair_of_rows*>(neighbours(own.first, 7));
  const pair_of_rows copy = *other;
  out[threadIdx.x] = copy.second[threadIdx.x % values];
  __syncwarp();
}

__device__ const int* of_block;
__global__ void leaves_its_pointer(int* out) {
  int own[values];
  fill(own);
  if (blockIdx.x == 0 && threadIdx.x == 5) of_block = own;
  if (blockIdx.x == 1 && threadIdx.x == 9) out[0] = of_block[0];
}

// In order: every thread follows its own pointer, wherever that has been meanwhile.
__global__ void keeps_to_its_own(int* out) {
  __shared__ int* pointers[lanes];
  int own[values];
  fill(own);
  pointers[threadIdx.x] = neighbours(neighbours(own, 3), lanes - 3);
  __syncthreads();
  atomicAdd(&pointers[threadIdx.x][1], 1);
  out[threadIdx.x] = pointers[threadIdx.x][1];
}

int main(int count, char** words) {
  const char* const name = count > 1 ? words[1] : "";
  int* out;
  cudaMalloc(&out, lanes * sizeof(int));
  if (strcmp(name, "shuffle") == 0) reads_by_shuffle<<<1, lanes>>>(out);
  if (strcmp(name, "shared") == 0) writes_through_shared<<<1, lanes>>>(out);
  if (strcmp(name, "global") == 0) adds_through_global<<<1, lanes>>>(out);
  if (strcmp(name, "structure") == 0) copies_a_structure<<<1, lanes>>>(out);
  if (strcmp(name, "blocks") == 0) leaves_its_pointer<<<2, lanes>>>(out);
  if (strcmp(name, "own") == 0) keeps_to_its_own<<<1, lanes>>>(out);
  int host[lanes];
  const cudaError_t error = cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
  int right = 0;
  for (int i = 0; error == cudaSuccess && i < lanes; ++i) right += host[i] == 10 * i + 2;
  printf("%s: %d of %d right\n", cudaGetErrorName(error), right, lanes);
  cudaFree(out);
  return 0;
}
