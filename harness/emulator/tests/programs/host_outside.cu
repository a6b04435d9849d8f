// Host code touches managed memory beyond its end, and after it was freed.
#include <cstdio>

__managed__ int first = 1;
__managed__ int second = 2;

__global__ void add_one(int* x, int n) {
  for (int i = threadIdx.x; i < n; i += blockDim.x) ++x[i];
}

int main() {
  const int n = 1000;
  int* x;
  cudaMallocManaged(&x, n * sizeof(int));
  for (int i = 0; i <= n; ++i) x[i] = i;       // one too many
  add_one<<<1, 32>>>(x, n);
  cudaDeviceSynchronize();
  std::printf("%d %d %d\n", x[n - 1], first, second);
  cudaFree(x);
  std::printf("%s\n", x[0] == 1 ? "still there" : "gone");
}
