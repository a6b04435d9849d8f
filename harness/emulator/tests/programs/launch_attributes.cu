// Launches by cudaLaunchKernelEx and cudaLaunchKernelExC: attributes that are hints change nothing, others are refused.
#include <cuda_runtime.h>
#include <stdio.h>

template <class T>
__global__ void fill(T* p, T value, int n, float scale) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) p[i] = value * scale;
}
__global__ void count(int* p) { atomicAdd(p, 1); }

void tell(const char* what, cudaError_t error) { printf("%s: %s\n", what, cudaGetErrorString(error)); }

int main() {
  float *device, host[100];
  cudaMalloc(&device, sizeof host);
  int *counted, threads;
  cudaMalloc(&counted, 4);
  cudaMemset(counted, 0, 4);
  cudaStream_t stream;
  cudaStreamCreate(&stream);

  cudaLaunchConfig_t config = {};
  config.gridDim = 4;
  config.blockDim = dim3(32);
  config.stream = stream;
  tell("converted", cudaLaunchKernelEx(&config, fill<float>, device, 2, 100, 1.5));
  cudaMemcpy(host, device, sizeof host, cudaMemcpyDeviceToHost);
  printf("%g %g\n", host[0], host[99]);

  cudaLaunchAttribute attributes[2] = {};
  attributes[0].id = cudaLaunchAttributePriority;
  attributes[0].val.priority = 1;
  attributes[1].id = cudaLaunchAttributeProgrammaticStreamSerialization;
  attributes[1].val.programmaticStreamSerializationAllowed = 1;
  config.attrs = attributes;
  config.numAttrs = 2;
  void* arguments[] = {&counted};
  tell("hints", cudaLaunchKernelExC(&config, (void*)count, arguments));
  tell("hints", cudaLaunchKernelExC(&config, reinterpret_cast<const void*>(&count), arguments));
  cudaMemcpy(&threads, counted, 4, cudaMemcpyDeviceToHost);
  printf("%d\n", threads);

  attributes[1].id = cudaLaunchAttributeClusterDimension;
  attributes[1].val.clusterDim.x = attributes[1].val.clusterDim.y = attributes[1].val.clusterDim.z = 1;
  tell("a cluster of one", cudaLaunchKernelEx(&config, count, counted));
  attributes[1].val.clusterDim.x = 2;
  tell("a cluster of two", cudaLaunchKernelEx(&config, count, counted));
  cudaGetLastError();
  attributes[1].id = cudaLaunchAttributeCooperative;
  attributes[1].val.cooperative = 1;
  tell("cooperative", cudaLaunchKernelEx(&config, count, counted));
  cudaGetLastError();
  config.numAttrs = 0;
  config.blockDim = 2048;
  tell("too large", cudaLaunchKernelEx(&config, count, counted));
  cudaFree(device);
  cudaFree(counted);
  cudaStreamDestroy(stream);
}
