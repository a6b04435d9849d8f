// The last warp of a reduction by volatile accesses and no barrier, which counted on lanes in lockstep: a race since Volta. What is
// summed up is chance and not printed.
#include <cuda_runtime.h>

__device__ void lastLanes(volatile float *s, int t) {
  s[t] += s[t + 2];
  s[t] += s[t + 1];
}

__global__ void reduce(float *out) {
  __shared__ float s[8];
  s[threadIdx.x] = threadIdx.x;
  __syncthreads();
  if (threadIdx.x < 4) lastLanes(s, threadIdx.x);
  if (threadIdx.x == 0) *out = s[0];
}

int main() {
  float *d;
  cudaMalloc(&d, sizeof(float));
  reduce<<<1, 8>>>(d);
  cudaDeviceSynchronize();
  cudaFree(d);
  return 0;
}
