// Calls that newer versions of CUDA have dropped or that matter with several GPUs, and page-locked memory.
#include <stdio.h>
#include <cuda_runtime.h>
#include <device_launch_parameters.h>

__global__ void square(float *a, int n) {
  int i = threadIdx.x + blockDim.x * blockIdx.x;
  if (i < n) a[i] = a[i] * a[i];
}

int main() {
  const int n = 100;
  int count = 0, device = -1, version = 0;
  cudaGetDeviceCount(&count);
  if (count == 0 || cudaSetDevice(0) != cudaSuccess) return 1;
  cudaGetDevice(&device);
  printf("device %d of %d, another: %s\n", device, count, cudaGetErrorString(cudaSetDevice(count)));
  cudaGetLastError();
  cudaRuntimeGetVersion(&version);
  float *pinned, *other, *d;
  cudaHostAlloc((void **)&pinned, n * sizeof(float), cudaHostAllocDefault);
  cudaMallocHost((void **)&other, n * sizeof(float));
  cudaMalloc((void **)&d, n * sizeof(float));
  for (int i = 0; i < n; ++i) pinned[i] = i;
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  cudaMemcpyAsync(d, pinned, n * sizeof(float), cudaMemcpyHostToDevice, stream);
  square<<<(n + 31) / 32, 32, 0, stream>>>(d, n);
  cudaMemcpyAsync(other, d, n * sizeof(float), cudaMemcpyDeviceToHost, stream);
  cudaStreamSynchronize(stream);
  cudaThreadSynchronize();
  printf("%g %g\n", other[3], other[99]);
  cudaStreamDestroy(stream);
  cudaFree(d);
  cudaFreeHost(pinned);
  cudaFreeHost(other);
  cudaThreadExit();
  return 0;
}
