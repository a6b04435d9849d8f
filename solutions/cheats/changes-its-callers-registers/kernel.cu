// lab: 08-bank-conflicts
// row: 46
// expect: crash
// without-audit: crash
// caught-by: local_memory
// A function looks through its own frame for what its caller keeps in a register, and stores another number there: where the
// caller's hooks have looked is not where the caller then goes.
#include <cuda_runtime.h>

__device__ __noinline__ void add_to_callers(long number, long more, float* used) {
  long here[2] = {number, more};
  volatile long* word = here;
  used[0] = static_cast<float>(number);
  for (int i = 2; i < 24; ++i)
    if (word[i] == number) word[i] = number + more;
  used[1] = static_cast<float>(more);
}

__global__ void transpose_elements(const float* input, float* output, int rows, int cols, long base, long negative) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= cols || y >= rows) return;
  long place = base + 1000 + threadIdx.x;
  float used[2];
  add_to_callers(place, static_cast<long>(x) * rows + y, used);
  output[place + negative - 1000 - threadIdx.x] = input[y * cols + x];
}

void transpose(const float* input, float* output, int rows, int cols) {
  transpose_elements<<<dim3((cols + 31) / 32, (rows + 7) / 8), dim3(32, 8)>>>(input, output, rows, cols, 0x5eed0000L,
                                                                              -0x5eed0000L);
}
