// The atomics, an own atomicAdd for double behind the usual guard, votes and shuffles, the old warp tail.
#include <cuda_runtime.h>
#include <float.h>
#include <limits.h>
#include <stdio.h>
#if __CUDA_ARCH__ < 600 && defined(__CUDA_ARCH__)
__device__ double atomicAdd(double* address, double val) {
  unsigned long long int* address_as_ull = (unsigned long long int*)address;
  unsigned long long int old = *address_as_ull, assumed;
  do {
    assumed = old;
    old = atomicCAS(address_as_ull, assumed, __double_as_longlong(val + __longlong_as_double(assumed)));
  } while (assumed != old);
  return __longlong_as_double(old);
}
#endif
__device__ float atomicMaxFloat(float* address, float val) {
  int* as_int = (int*)address;
  int old = atomicAdd(as_int, 0), assumed;
  do {
    assumed = old;
    old = atomicCAS(as_int, assumed, __float_as_int(fmaxf(val, __int_as_float(assumed))));
  } while (assumed != old);
  return __int_as_float(old);
}
__global__ void counts(unsigned int* u, int* s, float* f, double* d, unsigned long long* l) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  atomicAdd(&u[0], 1);
  atomicInc(&u[1], 6);
  atomicSub(&s[0], 1);
  atomicMin(&s[1], i - 50);
  atomicMax(&s[2], i);
  atomicExch(&s[3], 9);
  atomicOr(&s[4], 1 << (i % 8));
  atomicAnd(&s[5], ~(1 << (i % 4)));
  atomicXor(&s[6], i);
  atomicAdd(f, 0.5f);
  atomicMaxFloat(f + 1, (float)i);
  atomicAdd(d, 0.25);
  atomicAdd(l, 1ULL);
  atomicCAS(&s[7], 0, 77);
  unsigned ballot = __ballot_sync(0xffffffff, threadIdx.x & 1);
  int sum = i;
  for (int offset = warpSize / 2; offset > 0; offset /= 2) sum += __shfl_down_sync(0xffffffff, sum, offset);
  if (threadIdx.x % 32 == 0) atomicAdd(&s[8], sum + __popc(ballot) + __ffs(ballot) + __clz(ballot));
  int seen = __syncthreads_count(i < 40);
  if (threadIdx.x == 0) atomicAdd(&s[9], seen);
  if (__any_sync(~0u, i == 3) && __all_sync(0xffffffffu, i < 1000)) atomicAdd(&s[10], 1);
}
int main() {
  unsigned *u, hu[2];
  int *s, hs[11];
  float *f, hf[2];
  double *d, hd;
  unsigned long long *l, hl;
  cudaMalloc(&u, sizeof hu); cudaMalloc(&s, sizeof hs); cudaMalloc(&f, sizeof hf);
  cudaMalloc(&d, sizeof hd); cudaMalloc(&l, sizeof hl);
  cudaMemset(u, 0, sizeof hu); cudaMemset(s, 0, sizeof hs); cudaMemset(f, 0, sizeof hf);
  cudaMemset(d, 0, sizeof hd); cudaMemset(l, 0, sizeof hl);
  counts<<<2, 64>>>(u, s, f, d, l);
  cudaMemcpy(hu, u, sizeof hu, cudaMemcpyDeviceToHost); cudaMemcpy(hs, s, sizeof hs, cudaMemcpyDeviceToHost);
  cudaMemcpy(hf, f, sizeof hf, cudaMemcpyDeviceToHost); cudaMemcpy(&hd, d, sizeof hd, cudaMemcpyDeviceToHost);
  cudaMemcpy(&hl, l, sizeof hl, cudaMemcpyDeviceToHost);
  printf("%u %u", hu[0], hu[1]);
  for (int i = 0; i < 11; ++i) printf(" %d", hs[i]);
  printf(" %.1f %.1f %.2f %llu\n", hf[0], hf[1], hd, hl);
  printf("%d %.2g\n", INT_MAX > 0, FLT_MIN);
  cudaFree(u); cudaFree(s); cudaFree(f); cudaFree(d); cudaFree(l);
}
