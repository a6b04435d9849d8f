// Host code that touches managed memory in every order that CUDA promises: nothing is found.
#include <cstdio>
#include <cstring>
#include <vector>

__managed__ int count;

__global__ void add(int* x, int n, int by) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] += by;
  if (i == 0) atomicAdd(&count, 1);
}
__global__ void read_only(const int* x, int* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i];
}

void look(void* x) { std::printf("called back: %d\n", static_cast<int*>(x)[5]); }

int main() {
  const int n = 40000, half = n / 2, bytes = n * sizeof(int);
  int *x, *z, *device;
  cudaMallocManaged(&x, bytes);
  cudaMallocManaged(&z, bytes);
  cudaMalloc(&device, bytes);
  std::vector<int> values(n, 1);
  std::memcpy(x, values.data(), bytes);
  count = 0;
  cudaMemPrefetchAsync(x, bytes, 0, nullptr);
  add<<<(n + 255) / 256, 256>>>(x, n, 1);
  z[3] = 4;                                         // no kernel works on z
  cudaMemPrefetchAsync(x, bytes, cudaCpuDeviceId, nullptr);
  cudaDeviceSynchronize();
  std::printf("%d %d\n", x[0], count);
  read_only<<<(n + 255) / 256, 256>>>(x, device, n);
  int sum = x[1] + x[2];                            // both sides read
  cudaMemcpy(values.data(), device, bytes, cudaMemcpyDeviceToHost);
  x[1] = sum;                                       // the copy has waited for the kernel

  cudaStream_t one, two;
  cudaStreamCreate(&one);
  cudaStreamCreateWithFlags(&two, cudaStreamNonBlocking);
  cudaEvent_t done;
  cudaEventCreate(&done);
  add<<<(half + 255) / 256, 256, 0, one>>>(x, half, 1);
  cudaEventRecord(done, one);
  add<<<(half + 255) / 256, 256, 0, two>>>(x + half, half, 1);
  cudaEventSynchronize(done);
  std::memcpy(values.data(), x, half * sizeof(int));  // the first half alone is done
  cudaStreamSynchronize(two);
  std::printf("%d %d\n", values[0], x[half]);
  add<<<(half + 255) / 256, 256, 0, two>>>(x, half, 1);
  cudaLaunchHostFunc(two, look, x);                 // in the stream's turn
  cudaEventRecord(done, two);
  while (cudaEventQuery(done) != cudaSuccess) {
  }
  x[0] = 0;
  add<<<(n + 255) / 256, 256, 0, one>>>(x, n, 1);
  std::vector<int> pageable(n);
  cudaMemcpyAsync(pageable.data(), x, bytes, cudaMemcpyDeviceToHost, one);  // returns when it is done
  x[0] = 1;
  cudaMemset(z, 0, bytes);                          // of managed memory: waits
  z[0] = 1;
  cudaEventDestroy(done);
  cudaStreamDestroy(one);
  cudaStreamDestroy(two);
  add<<<(n + 255) / 256, 256>>>(x, n, 1);
  cudaFree(device);                                 // waits for everything
  std::printf("%d %d\n", x[0], z[0]);
  cudaFree(x);
  cudaFree(z);
}
