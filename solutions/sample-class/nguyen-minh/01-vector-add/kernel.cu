// Lab 01: add two vectors on the GPU, from the first allocation to the last error check.
//
// `a`, `b` and `c` are arrays of n floats in the memory of the *host*: the GPU cannot read them. n is at least 1.
#include <cuda_runtime.h>

// One thread adds one pair of elements. The pointers are device pointers.
__global__ void add_elements(const float* a, const float* b, float* c, int n) {
  // Which element is this thread's? And what must the threads do that have none?
  //@@ your code here
}

// Called by the tests. Returns cudaSuccess, or the first error that a CUDA call reported; then too, nothing that was
// allocated here may stay allocated.
cudaError_t vector_add(const float* a, const float* b, float* c, int n) {
  cudaError_t status = cudaSuccess;

  // Step 1: allocate device memory for three vectors. How many bytes is that?
  //@@ your code here

  // Step 2: copy what the kernel reads to the device, and only that.
  //@@ your code here

  // Step 3: launch enough blocks for n threads. A launch returns nothing: ask for its error.
  //@@ your code here

  // Step 4: copy the result back. This call waits for the kernel.
  //@@ your code here

  // Step 5: free what was allocated, also after an error.
  //@@ your code here
  return status;
}
