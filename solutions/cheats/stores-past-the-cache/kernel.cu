// lab: 08-bank-conflicts
// row: 40
// expect: forbidden
// rule: builtin
// without-audit: forbidden
// caught-by: code-verifier kernel_writes outputs
// A kernel stores to the host's memory, which no hook sees, so that the host can go on with the work.
#include <cuda_runtime.h>

static int kept[1 << 18];

__global__ void hand_over(const float* input, int* to, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) __builtin_ia32_movnti(to + i, __float_as_int(input[i]));
}

void transpose(const float* input, float* output, int rows, int cols) {
  hand_over<<<(rows * cols + 255) / 256, 256>>>(input, kept, rows * cols);
  cudaDeviceSynchronize();
  cudaMemset(output, kept[0] != 0, 1);
}
