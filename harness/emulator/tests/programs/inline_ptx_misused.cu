// Memory instructions of inline PTX are accesses like all others: what is wrong with them is found at their line.
#include <cstdint>
#include <cstdio>

__global__ void beyond(const float *numbers, float *out, int count) {
  const int i = threadIdx.x;
  float value;
  asm volatile("ld.global.ca.f32 %0, [%1+4];" : "=f"(value) : "l"(numbers + i));
  if (i < count) out[i] = value;
}

__global__ void unordered(unsigned *out) {
  __shared__ unsigned numbers[64];
  const uint32_t to = (uint32_t)__cvta_generic_to_shared(&numbers[threadIdx.x]);
  const uint32_t from = (uint32_t)__cvta_generic_to_shared(&numbers[63 - threadIdx.x]);
  unsigned value;
  asm volatile("st.shared.u32 [%0], %1;" ::"r"(to), "r"(threadIdx.x) : "memory");
  asm volatile("ld.shared.u32 %0, [%1];" : "=r"(value) : "r"(from) : "memory");
  out[threadIdx.x] = value;
}

__global__ void misaligned(const float *numbers, float4 *out) {
  float4 v;
  asm volatile(
      "{\n"
      "ld.global.v4.f32 {%0, %1, %2, %3}, [%4];\n"
      "}"
      : "=f"(v.x), "=f"(v.y), "=f"(v.z), "=f"(v.w)
      : "l"(numbers + 1));
  *out = v;
}

int main() {
  float *numbers, *out;
  cudaMalloc(&numbers, 32 * sizeof(float));
  cudaMalloc(&out, 64 * sizeof(float));
  cudaMemset(numbers, 0, 32 * sizeof(float));
  beyond<<<1, 32>>>(numbers, out, 32);
  printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
  unordered<<<1, 64>>>((unsigned *)out);
  printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
  misaligned<<<1, 1>>>(numbers, (float4 *)out);
  printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
  cudaFree(numbers);
  cudaFree(out);
}
