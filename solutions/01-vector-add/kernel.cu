// Lab 01: add two vectors on the GPU, from the first allocation to the last error check.
//
// `a`, `b` and `c` are arrays of n floats in the memory of the *host*: the GPU cannot read them. n is at least 1.
#include <cuda_runtime.h>

// One thread adds one pair of elements. The pointers are device pointers.
__global__ void add_elements(const float* a, const float* b, float* c, int n) {
  // Which element is this thread's? And what must the threads do that have none?
  //@@ begin solution
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    c[i] = a[i] + b[i];
  }
  //@@ end solution
}

// Called by the tests. Returns cudaSuccess, or the first error that a CUDA call reported; then too, nothing that was
// allocated here may stay allocated.
cudaError_t vector_add(const float* a, const float* b, float* c, int n) {
  cudaError_t status = cudaSuccess;

  // Step 1: allocate device memory for three vectors. How many bytes is that?
  //@@ begin solution
  const size_t bytes = static_cast<size_t>(n) * sizeof(float);
  float* device_a = nullptr;
  float* device_b = nullptr;
  float* device_c = nullptr;
  status = cudaMalloc(&device_a, bytes);
  if (status == cudaSuccess) status = cudaMalloc(&device_b, bytes);
  if (status == cudaSuccess) status = cudaMalloc(&device_c, bytes);
  //@@ end solution

  // Step 2: copy what the kernel reads to the device, and only that.
  //@@ begin solution
  if (status == cudaSuccess) status = cudaMemcpy(device_a, a, bytes, cudaMemcpyHostToDevice);
  if (status == cudaSuccess) status = cudaMemcpy(device_b, b, bytes, cudaMemcpyHostToDevice);
  //@@ end solution

  // Step 3: launch enough blocks for n threads. A launch returns nothing: ask for its error.
  //@@ begin solution
  if (status == cudaSuccess) {
    const int block = 256;
    const int grid = (n + block - 1) / block;
    add_elements<<<grid, block>>>(device_a, device_b, device_c, n);
    status = cudaGetLastError();
  }
  //@@ end solution

  // Step 4: copy the result back. This call waits for the kernel.
  //@@ begin solution
  if (status == cudaSuccess) status = cudaMemcpy(c, device_c, bytes, cudaMemcpyDeviceToHost);
  //@@ end solution

  // Step 5: free what was allocated, also after an error.
  //@@ begin solution
  cudaFree(device_a);
  cudaFree(device_b);
  cudaFree(device_c);
  //@@ end solution
  return status;
}
