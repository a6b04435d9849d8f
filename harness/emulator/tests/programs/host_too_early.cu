// Host code touches managed memory before it has waited for what works on it.
#include <cstdio>
#include <cstring>

__managed__ int sum;

__global__ void fill(int* x, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  x[i] = i;
  atomicAdd(&sum, 1);
}

__global__ void read(const int* x, int* y) { y[threadIdx.x] = x[threadIdx.x]; }

int main() {
  const int n = 1000;
  int *x, *y, copy[n];
  cudaMallocManaged(&x, n * sizeof(int));
  cudaMallocManaged(&y, n * sizeof(int));
  fill<<<4, 256>>>(x, n);
  std::printf("%d\n", x[999]);                 // reads what the kernel writes
  std::memcpy(copy, x, sizeof copy);           // the same by the library
  std::printf("%d\n", sum + copy[0]);          // of a managed variable
  cudaDeviceSynchronize();
  read<<<1, 32>>>(x, y);
  x[0] = 7;                                    // writes what the kernel reads
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  cudaEvent_t before;
  cudaEventCreate(&before);
  cudaDeviceSynchronize();
  cudaEventRecord(before, stream);
  fill<<<4, 256, 0, stream>>>(x, n);
  cudaEventSynchronize(before);
  x[1] = 0;                                    // the event stands before the launch
  cudaDeviceSynchronize();
  cudaFree(x);
  cudaFree(y);
  cudaFree(x);
  cudaStreamDestroy(stream);
  cudaEventDestroy(before);
}
