// Device functions in code that is compiled away: nobody needs them, and they are device functions all the same.
#include <cstdio>

template <bool Counts>
__global__ void store(int* out) {
  if (Counts) atomicAdd(out, 1);
  out[threadIdx.x] = 2;
}

__global__ void never(int* out) {
  const bool debug = false;
  if (debug && threadIdx.x == 0) atomicMax(out, __popc(7));
  if (sizeof(void*) == 4) out[0] = __shfl_sync(~0u, out[0], 0);
  out[threadIdx.x] += 1;
  return;
  atomicExch(out, __ldg(out));
}

int main() {
  int *out, values[32];
  cudaMalloc(&out, sizeof values);
  store<false><<<1, 32>>>(out);
  never<<<1, 32>>>(out);
  cudaMemcpy(values, out, sizeof values, cudaMemcpyDeviceToHost);
  std::printf("%d\n", values[31]);
  cudaFree(out);
}
