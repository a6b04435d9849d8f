// What goes wrong with CUB's algorithms of blocks in courses: a block of another size than the type's, and temporary storage that is
// used again without a barrier.
#include <cub/block/block_reduce.cuh>
#include <cub/block/block_scan.cuh>

#include <cstdio>

__global__ void reuse_too_early(int *sums, int *largest) {
  using reduce = cub::BlockReduce<int, 128>;
  __shared__ typename reduce::TempStorage temp;
  const int sum = reduce(temp).Sum(threadIdx.x);
  const int next = reduce(temp).Sum(2 * threadIdx.x);
  if (threadIdx.x == 0) {
    *sums = sum;
    *largest = next;
  }
}

__global__ void other_block(int *out) {
  using scan = cub::BlockScan<int, 128>;
  __shared__ typename scan::TempStorage temp;
  int before;
  scan(temp).ExclusiveSum(1, before);
  out[threadIdx.x] = before;
}

int main() {
  int *out;
  cudaMalloc(&out, 128 * sizeof(int));
  reuse_too_early<<<1, 128>>>(out, out + 1);
  printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
  other_block<<<1, 64>>>(out);
  printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
  cudaFree(out);
}
