// Right, but for a look at what the next block writes, in a second kernel.
#include <cuda_runtime.h>

constexpr int threads = 128;

__global__ void scale_all(const float* input, float* output, int n) {
  const int i = blockIdx.x * threads + threadIdx.x;
  if (i < n) output[i] = 2 * input[i];
}

__global__ void scale_again(const float* input, float* output, int n) {
  __shared__ float staged[threads];
  const int t = threadIdx.x, i = blockIdx.x * threads + t;
  staged[t] = i < n ? 2 * input[i] : 0;
  __syncthreads();
  if (i < n) output[i] = staged[t];
  if (t == threads - 1 && i + 1 < n && output[i + 1] > 1e30F) output[i] = 0;
}

void scale(const float* input, float* output, int rows, int cols) {
  const int n = rows * cols, blocks = (n + threads - 1) / threads;
  scale_all<<<blocks, threads>>>(input, output, n);
  scale_again<<<blocks, threads>>>(input, output, n);
}
