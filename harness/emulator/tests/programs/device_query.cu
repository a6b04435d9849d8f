// Asks for everything that a device-query program prints.
#include <cuda.h>
#include <cuda_runtime.h>
#include <cuda_runtime_api.h>
#include <device_launch_parameters.h>

#include <cstdio>
#include <iostream>
using namespace std;

int main(int argc, char** argv) {
  int deviceCount;
  cudaGetDeviceCount(&deviceCount);
  for (int dev = 0; dev < deviceCount; dev++) {
    cudaDeviceProp deviceProp;
    cudaGetDeviceProperties(&deviceProp, dev);
    if (dev == 0) {
      if (deviceProp.major == 9999 && deviceProp.minor == 9999) {
        printf("No CUDA GPU has been detected\n");
        return -1;
      }
    }
    cudaSetDevice(dev);
    printf("Device %d name: %s\n", dev, deviceProp.name);
    printf(" compute capability %d.%d\n", deviceProp.major, deviceProp.minor);
    printf(" global memory %s\n", deviceProp.totalGlobalMem > (1u << 30) ? "more than 1 GB" : "little");
    printf(" constant memory %zu\n", deviceProp.totalConstMem);
    printf(" shared memory per block %zu\n", deviceProp.sharedMemPerBlock);
    printf(" shared memory per SM %zu\n", deviceProp.sharedMemPerMultiprocessor);
    printf(" registers per block %d, per SM %d\n", deviceProp.regsPerBlock, deviceProp.regsPerMultiprocessor);
    printf(" block dimensions %d x %d x %d\n", deviceProp.maxThreadsDim[0], deviceProp.maxThreadsDim[1],
           deviceProp.maxThreadsDim[2]);
    printf(" grid dimensions %d x %d x %d\n", deviceProp.maxGridSize[0], deviceProp.maxGridSize[1],
           deviceProp.maxGridSize[2]);
    printf(" warp size %d\n", deviceProp.warpSize);
    printf(" threads per block %d, per SM %d\n", deviceProp.maxThreadsPerBlock, deviceProp.maxThreadsPerMultiProcessor);
    printf(" pitch %zu, texture alignment %zu\n", deviceProp.memPitch, deviceProp.textureAlignment);
    cout << " ECC " << (deviceProp.ECCEnabled ? "on" : "off") << ", integrated " << deviceProp.integrated
         << ", maps host memory " << deviceProp.canMapHostMemory << ", concurrent kernels "
         << deviceProp.concurrentKernels << ", unified addressing " << deviceProp.unifiedAddressing << endl;
    printf(" PCI %d:%d:%d\n", deviceProp.pciDomainID, deviceProp.pciBusID, deviceProp.pciDeviceID);
    cout << " bus " << deviceProp.memoryBusWidth << " bits, L2 " << deviceProp.l2CacheSize << endl;
    cout << " SMs " << deviceProp.multiProcessorCount << ", engines " << deviceProp.asyncEngineCount << endl;
  }
  int value = 0;
  cudaDeviceGetAttribute(&value, cudaDevAttrMaxSharedMemoryPerMultiprocessor, 0);
  printf("attribute: shared memory per SM %d\n", value);
  cudaDeviceGetAttribute(&value, cudaDevAttrComputeCapabilityMajor, 0);
  printf("attribute: major %d\n", value);
  cudaDeviceGetAttribute(&value, cudaDevAttrMaxRegistersPerMultiprocessor, 0);
  printf("attribute: registers per SM %d\n", value);
  cudaDeviceGetAttribute(&value, cudaDevAttrMaxBlocksPerMultiprocessor, 0);
  printf("attribute: blocks per SM %d\n", value);
  int driver = 0, runtime = 0;
  cudaDriverGetVersion(&driver);
  cudaRuntimeGetVersion(&runtime);
  printf("CUDA %d.%d\n", runtime / 1000, runtime % 100 / 10);
  size_t freeBytes, totalBytes;
  cudaMemGetInfo(&freeBytes, &totalBytes);
  printf("all free: %d\n", (int)(freeBytes == totalBytes));
  cudaError_t wrong = cudaGetDeviceProperties(NULL, 0);
  printf("%s: %s\n", cudaGetErrorName(wrong), cudaGetErrorString(wrong));
  wrong = cudaSetDevice(7);
  printf("%s\n", cudaGetErrorString(cudaGetLastError()));
  cudaDeviceReset();
  return 0;
}
