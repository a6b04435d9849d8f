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
//@@ begin solution
constexpr int block_size = 256;
constexpr int bytes_per_load = 16;
constexpr int loads_per_block = 256;  // 4,096 bytes: 16 for each of the 256 counters that are merged at the end
constexpr int values_per_block = 4096;
constexpr int most_blocks = 132 * 8;  // enough to fill a large GPU; each block then takes more
//@@ end solution

// Part 1 ----------------------------------------------------------------------------------------------------------

// Counts in a histogram of the block's own, and adds that to `bins`, which starts at zero.
__global__ void count_bytes(const unsigned char* bytes, unsigned int* bins, int n) {
  // Step 1: declare the block's own counters in shared memory, and set them to zero.
  //@@ begin solution
  constexpr int copies = block_size / 32;  // one for each warp, so that warps do not queue for each other
  __shared__ unsigned int own[copies][bin_count];
  for (int i = threadIdx.x; i < copies * bin_count; i += block_size) own[i / bin_count][i % bin_count] = 0;
  //@@ end solution

  // Step 2: who must wait for whom before the counting starts?
  //@@ begin solution
  __syncthreads();
  //@@ end solution

  // Step 3: walk through the bytes with the whole grid, neighbouring threads on neighbouring bytes, and count.
  //@@ begin solution
  unsigned int* const mine = own[threadIdx.x / 32];
  const int first = blockIdx.x * block_size + threadIdx.x;
  const int stride = gridDim.x * block_size;
  const int loads = n / bytes_per_load;
  for (int i = first; i < loads; i += stride) {
    const uint4 sixteen = reinterpret_cast<const uint4*>(bytes)[i];
    const unsigned int words[4] = {sixteen.x, sixteen.y, sixteen.z, sixteen.w};
    for (int w = 0; w < 4; ++w)
      for (int shift = 0; shift < 32; shift += 8) atomicAdd(&mine[words[w] >> shift & 255], 1u);
  }
  for (long long i = loads * bytes_per_load + first; i < n; i += stride) atomicAdd(&mine[bytes[i]], 1u);
  //@@ end solution

  // Step 4: wait again, then add the block's counters to `bins`.
  //@@ begin solution
  __syncthreads();
  for (int bin = threadIdx.x; bin < bin_count; bin += block_size) {
    unsigned int count = 0;
    for (int copy = 0; copy < copies; ++copy) count += own[copy][bin];
    atomicAdd(&bins[bin], count);
  }
  //@@ end solution
}

// n is at least 1.
void histogram(const unsigned char* bytes, unsigned int* bins, int n) {
  // Clear `bins`, choose a grid, launch.
  //@@ begin solution
  cudaMemset(bins, 0, bin_count * sizeof(unsigned int));
  const int wanted = (n - 1) / (loads_per_block * bytes_per_load) + 1;
  count_bytes<<<min(wanted, most_blocks), block_size>>>(bytes, bins, n);
  //@@ end solution
}

// Part 2 ----------------------------------------------------------------------------------------------------------

// What CUDA does not have for floats: *address becomes the larger of *address and value, in one indivisible step.
__device__ void atomic_max(float* address, float value) {
  // atomicCAS works on integers. __float_as_int and __int_as_float give the bits of a float and back.
  //@@ begin solution
  int* const bits = reinterpret_cast<int*>(address);
  int seen = __float_as_int(-INFINITY);
  while (value > __int_as_float(seen)) {
    const int before = atomicCAS(bits, seen, __float_as_int(value));
    if (before == seen) break;  // ours stands there now
    seen = before;              // somebody else's does: is it larger?
  }
  //@@ end solution
}

// `largest` needs a first value that loses against every number. Which kernel or call can put it there?
//@@ begin solution
__global__ void start_maximum(float* largest) { *largest = -INFINITY; }
//@@ end solution

// Raises *largest to the maximum of the n values.
__global__ void find_maximum(const float* values, float* largest, int n) {
  // Step 1: let each thread look at many values and keep the largest in a register.
  //@@ begin solution
  float own = -INFINITY;
  for (long long i = blockIdx.x * block_size + threadIdx.x; i < n; i += gridDim.x * block_size)
    if (values[i] > own) own = values[i];
  //@@ end solution

  // Step 2: agree on one value in the block, and let one thread raise *largest.
  //@@ begin solution
  __shared__ float of_block;
  if (threadIdx.x == 0) of_block = -INFINITY;
  __syncthreads();
  atomic_max(&of_block, own);
  __syncthreads();
  if (threadIdx.x == 0) atomic_max(largest, of_block);
  //@@ end solution
}

// n is at least 1.
void maximum(const float* values, float* largest, int n) {
  // Put the first value into `largest`, choose a grid, launch.
  //@@ begin solution
  start_maximum<<<1, 1>>>(largest);
  const int wanted = (n - 1) / values_per_block + 1;
  find_maximum<<<min(wanted, most_blocks), block_size>>>(values, largest, n);
  //@@ end solution
}

// Called by the tests. Leave it as it is: a part without elements is not called, so each can be solved alone.
void histogram_and_maximum(const unsigned char* bytes, unsigned int* bins, int byte_count, const float* values,
                           float* largest, int value_count) {
  if (byte_count > 0) histogram(bytes, bins, byte_count);
  if (value_count > 0) maximum(values, largest, value_count);
}
