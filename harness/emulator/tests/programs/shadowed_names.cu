// Students' own variables, members and parameters that are called as CUDA's built-in ones.
#include <algorithm>
#include <cstdio>
#include <iostream>
#include <vector>
#include "cuda_runtime.h"
using namespace std;
#define BLOCK_SIZE 64
#define N (BLOCK_SIZE * 3 + 5)

struct Shape {
  dim3 gridDim, blockDim;
  int warpSize;
};
class Launcher {
 public:
  dim3 blockDim;
  Launcher(unsigned threads) : blockDim(threads, 1, 1) {}
  dim3 gridDim(int n) const { return dim3((n + blockDim.x - 1) / blockDim.x); }
};

__global__ void lanes(int* out, int n) {
#define INDEX (blockIdx.x * blockDim.x + threadIdx.x)
  if (INDEX < n) out[INDEX] = threadIdx.x % warpSize;
}

__global__ void inner(int* out, int threadIdx_x) {
  const int warpSize = 7;  // hides the built-in
  int blockIdx_y = ::blockIdx.x;
  out[threadIdx.x] = warpSize * threadIdx_x + blockIdx_y;
}

static void run(int* d, int n, dim3 gridDim, dim3 blockDim) {
  lanes<<<gridDim, blockDim>>>(d, n);
}
static int sum(const vector<int>& v) {
  int total = 0;
  for (size_t threadIdx = 0; threadIdx < v.size(); ++threadIdx) total += v[threadIdx];
  return total;
}

int main() {
  int* d;
  vector<int> h(N);
  cudaMalloc((void**)&d, N * sizeof(int));
  cudaDeviceProp prop;
  cudaGetDeviceProperties(&prop, 0);
  int warpSize = prop.warpSize;
  dim3 blockDim(BLOCK_SIZE), gridDim(ceil(N / (float)BLOCK_SIZE));
  lanes<<<gridDim, blockDim>>>(d, N);
  cudaMemcpy(h.data(), d, N * sizeof(int), cudaMemcpyDeviceToHost);
  printf("%d %d\n", sum(h), warpSize);
  Shape shape = {dim3(4), dim3(BLOCK_SIZE), warpSize};
  lanes<<<shape.gridDim, shape.blockDim>>>(d, N);
  run(d, N, shape.gridDim, shape.blockDim);
  Launcher launcher(BLOCK_SIZE);
  lanes<<<launcher.gridDim(N), launcher.blockDim>>>(d, N);
  inner<<<1, 32>>>(d, 2);
  cudaMemcpy(&h[0], d, 4, cudaMemcpyDeviceToHost);
  cout << h[0] << " " << min(3, N) << " " << max(2.5, 1.0) << " " << std::max<int>(4, 3) << endl;
  cudaFree(d);
  return 0;
}
