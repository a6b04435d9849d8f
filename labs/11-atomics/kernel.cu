// Lab 11: two results of many threads in one place: a histogram, and the maximum of floats.
//
// Histogram: `bins` has 256 counters; bins[v] becomes the number of bytes that equal v.
// Maximum:   `largest` has one float; it becomes the largest of `values`. What is no number (NaN) is left out; if no
//            number is left, the result is minus infinity.
//
// All pointers are device memory and start at a multiple of 16. Nobody has cleared `bins` or `largest`: they hold garbage
// when you get them.
#include <cuda_runtime.h>

constexpr int bin_count = 256;

// How many threads has a block, and how many bytes or values should one block look at, at least?
//@@ your code here

// Part 1 ----------------------------------------------------------------------------------------------------------

// Counts in a histogram of the block's own, and adds that to `bins`, which starts at zero.
__global__ void count_bytes(const unsigned char* bytes, unsigned int* bins, int n) {
  // Step 1: declare the block's own counters in shared memory, and set them to zero.
  //@@ your code here

  // Step 2: who must wait for whom before the counting starts?
  //@@ your code here

  // Step 3: walk through the bytes with the whole grid, neighbouring threads on neighbouring bytes, and count.
  //@@ your code here

  // Step 4: wait again, then add the block's counters to `bins`.
  //@@ your code here
}

// n is at least 1.
void histogram(const unsigned char* bytes, unsigned int* bins, int n) {
  // Clear `bins`, choose a grid, launch.
  //@@ your code here
}

// Part 2 ----------------------------------------------------------------------------------------------------------

// What CUDA does not have for floats: *address becomes the larger of *address and value, in one indivisible step.
__device__ void atomic_max(float* address, float value) {
  // atomicCAS works on integers. __float_as_int and __int_as_float give the bits of a float and back.
  //@@ your code here
}

// `largest` needs a first value that loses against every number. Which kernel or call can put it there?
//@@ your code here

// Raises *largest to the maximum of the n values.
__global__ void find_maximum(const float* values, float* largest, int n) {
  // Step 1: let each thread look at many values and keep the largest in a register.
  //@@ your code here

  // Step 2: agree on one value in the block, and let one thread raise *largest.
  //@@ your code here
}

// n is at least 1.
void maximum(const float* values, float* largest, int n) {
  // Put the first value into `largest`, choose a grid, launch.
  //@@ your code here
}

// Called by the tests. Leave it as it is: a part without elements is not called, so each can be solved alone.
void histogram_and_maximum(const unsigned char* bytes, unsigned int* bins, int byte_count, const float* values,
                           float* largest, int value_count) {
  if (byte_count > 0) histogram(bytes, bins, byte_count);
  if (value_count > 0) maximum(values, largest, value_count);
}
