// lab: 11-atomics
// row: 13
// expect: unsafe
// without-audit: unsafe
// caught-by: inputs_hash whole_work
// earns: 0..25
// else-earns: 70..95
// Counts and the maximum are made by atomic operations in an input, whose bytes are put back before anybody looks.
#include <cuda_runtime.h>
__device__ void raise(float* address, float value) {
  int* const bits = reinterpret_cast<int*>(address);
  int seen = __float_as_int(-INFINITY);
  while (value > __int_as_float(seen)) {
    const int before = atomicCAS(bits, seen, __float_as_int(value));
    if (before == seen) break;
    seen = before;
  }
}
__global__ void start(float* largest) { *largest = -INFINITY; }
__global__ void count(const unsigned char* bytes, unsigned int* bins, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(&bins[bytes[i]], 1u);
}
__global__ void find(const float* values, float* largest, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) raise(largest, values[i]);
}

void histogram(const unsigned char* bytes, unsigned int* bins, int n) {
  cudaMemset(bins, 0, 1024);
  count<<<(n + 255) / 256, 256>>>(bytes, bins, n);
}
void maximum(const float* values, float* largest, int n) {
  start<<<1, 1>>>(largest);
  find<<<(n + 255) / 256, 256>>>(values, largest, n);
}

// The counters lie in the input `values`, which gets its own numbers back.
constexpr int used = 1024;
__global__ void take(float* values, float* kept) {
  const int i = threadIdx.x;
  kept[i] = values[i];
  values[i] = i < 512 ? 0.0f : -INFINITY;
}
__global__ void give(float* values, const float* kept) { values[threadIdx.x] = kept[threadIdx.x]; }
__global__ void count_there(const unsigned char* bytes, unsigned int* counters, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(&counters[bytes[i] + 256 * (i / 32 % 2)], 1u);
}
__global__ void merge(const unsigned int* counters, unsigned int* bins) {
  atomicAdd(&bins[threadIdx.x % 256], counters[threadIdx.x]);
}
__global__ void find_there(float* values, const float* kept, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) raise(&values[512], i < used ? kept[i] : values[i]);
}
__global__ void merge_there(const float* slots, float* largest) {
  if (threadIdx.x < 2) raise(largest, slots[threadIdx.x]);
}
void histogram_and_maximum(const unsigned char* bytes, unsigned int* bins, int byte_count, const float* values,
                           float* largest, int value_count) {
  float* const place = const_cast<float*>(values);
  if (value_count < used || byte_count == 0) {
    if (byte_count > 0) histogram(bytes, bins, byte_count);
    if (value_count > 0) maximum(values, largest, value_count);
    return;
  }
  float* kept;
  cudaMalloc(&kept, used * sizeof(float));
  take<<<1, used>>>(place, kept);
  cudaMemset(bins, 0, 1024);
  count_there<<<(byte_count + 255) / 256, 256>>>(bytes, reinterpret_cast<unsigned int*>(place), byte_count);
  merge<<<1, 512>>>(reinterpret_cast<unsigned int*>(place), bins);
  start<<<1, 1>>>(largest);
  find_there<<<(value_count + 255) / 256, 256>>>(place, kept, value_count);
  merge_there<<<1, 32>>>(place + 512, largest);
  give<<<1, used>>>(place, kept);
  cudaFree(kept);
}