// What the source map is asked about. The test knows these lines by the comments behind them.
#include <cuda_runtime.h>

#include "subject_inline.cuh"

__constant__ float weights[5];
namespace field {
__device__ int hits[3];
}
static __device__ double total;

__global__ void plain(float* output, const float* input, int count) {
  __shared__ float tile[7];
  tile[2] = 1;                        // line: shared write
  output[0] = 2;                      // line: global write
  atomicAdd(&field::hits[1], count);  // line: atomic
  store(output);                      // line: inlined call
  __syncthreads();                    // line: barrier
  // Neither is inlined, so that each has code of its own.
  const auto add = [&](int* to) __attribute__((noinline)) {
    atomicAdd(to, 1);  // line: atomic in a lambda
  };
  struct adder {
    __device__ __noinline__ static void add(int* to) {
      atomicAdd(to, 2);  // line: atomic in a local type
    }
  };
  add(&field::hits[0]);
  adder::add(&field::hits[2]);
}

template <int N>
__global__ void of_template(float* first) {
  __shared__ int scratch[N];
  scratch[1] = 3;
  *first = weights[1] + total;
}

// Through pointers: host code may take a kernel's address, but not call it.
void call_kernels() {
  float cell[2] = {};
  void (*volatile first)(float*, const float*, int) = plain;
  void (*volatile others[])(float*) = {of_template<4>, of_template<6>};
  first(cell, cell, 1);
  for (void (*other)(float*) : others) other(cell);
}

const void* address_of_plain() { return (const void*)(size_t)&plain; }
const void* address_of_template() { return (const void*)(size_t)&of_template<4>; }
