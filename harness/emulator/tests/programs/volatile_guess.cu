// Volatile reads beside atomic operations are no race, whether a compare-and-swap follows or not, in programs without a
// fence too. A plain store beside them is one.
#include <cstdio>

__global__ void largest(float* result, const float* values) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  int* bits = reinterpret_cast<int*>(result);
  int old = *reinterpret_cast<volatile int*>(bits), assumed;
  do {
    assumed = old;
    old = atomicCAS(bits, assumed, __float_as_int(fmaxf(values[i], __int_as_float(assumed))));
  } while (assumed != old);
}

__global__ void looks_first(int* largest, const int* values) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (values[i] > *static_cast<volatile int*>(largest)) atomicMax(largest, values[i]);
}

__global__ void sum_in_shared_memory(float* result) {
  __shared__ float sum;
  if (threadIdx.x == 0) sum = 0;
  __syncthreads();
  int* bits = reinterpret_cast<int*>(&sum);
  int old = *reinterpret_cast<volatile int*>(bits), assumed;
  do {
    assumed = old;
    old = atomicCAS(bits, assumed, __float_as_int(1 + __int_as_float(assumed)));
  } while (assumed != old);
  __syncthreads();
  if (threadIdx.x == 0) *result = sum;
}

__global__ void stores_beside(int* count) {
  if (*static_cast<volatile int*>(count) < 5) atomicAdd(count, 1);
  if (threadIdx.x == 40) *count = 0;
}

int main() {
  constexpr int n = 256;
  float values[n], *floats, *result, sum = 0, most = 0;
  for (int i = 0; i < n; ++i) values[i] = static_cast<float>(i * 37 % n);
  int *count, largest_bits = 0;
  cudaMalloc(&floats, sizeof values);
  cudaMalloc(&result, sizeof(float));
  cudaMalloc(&count, sizeof(int));
  cudaMemcpy(floats, values, sizeof values, cudaMemcpyHostToDevice);
  cudaMemset(result, 0, sizeof(float));
  cudaMemset(count, 0, sizeof(int));
  largest<<<4, 64>>>(result, floats);
  cudaMemcpy(&most, result, sizeof most, cudaMemcpyDeviceToHost);
  looks_first<<<4, 64>>>(count, reinterpret_cast<int*>(floats));
  cudaMemcpy(&largest_bits, count, sizeof(int), cudaMemcpyDeviceToHost);
  sum_in_shared_memory<<<1, 64>>>(result);
  cudaMemcpy(&sum, result, sizeof sum, cudaMemcpyDeviceToHost);
  std::printf("%g %g %d\n", most, sum, largest_bits == 0x437f0000);
  stores_beside<<<1, 64>>>(count);
  cudaDeviceSynchronize();
  cudaFree(floats);
  cudaFree(result);
  cudaFree(count);
}
