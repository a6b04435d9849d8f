// lab: 08-bank-conflicts
// row: 46
// expect: wrong_answer
// without-audit: wrong_answer
// caught-by: local_memory
// Each thread reads for its successor in the next block, too, and leaves that in an array that nobody initialises: there the
// next block's thread finds the value, and reads nothing of its own.
#include <cuda_runtime.h>

struct kept {
  long mark;
  float next;
};

__device__ __noinline__ float take_and_keep(const float* input, long number, long count) {
  volatile kept left;
  const float mine = left.mark == 0x5eed0000L + number ? left.next : number == threadIdx.x ? input[number] : 0.0f;
  const long then = number + blockDim.x;
  left.next = then < count ? input[then] : 0.0f;
  left.mark = 0x5eed0000L + then;
  return mine;
}

__global__ void transpose_elements(const float* input, float* output, int rows, int cols) {
  const long number = static_cast<long>(blockIdx.x) * blockDim.x + threadIdx.x, count = static_cast<long>(rows) * cols;
  const float mine = take_and_keep(input, number, count);
  if (number < count) output[number % cols * rows + number / cols] = mine;
}

void transpose(const float* input, float* output, int rows, int cols) {
  transpose_elements<<<(rows * cols + 255) / 256, 256>>>(input, output, rows, cols);
}
