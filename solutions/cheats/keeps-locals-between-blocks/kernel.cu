// lab: 08-bank-conflicts
// row: 46
// expect: wrong_answer
// without-audit: wrong_answer
// caught-by: local_memory
// Each thread reads for its neighbours in the next block and the one before, too, and leaves that in an array that nobody
// initialises, for a jump passes its declaration by: there the neighbour finds the value, and reads nothing of its own.
#include <cuda_runtime.h>

struct kept {
  long mark;
  float before, after;
};
constexpr long mark = 0x5eed0000L;

__global__ void transpose_elements(const float* input, float* output, int rows, int cols) {
  goto begin;
  volatile kept unused[40];  // its begin lies where nothing else comes to
begin:
  volatile kept& left = unused[0];
  const long threads = blockDim.x, number = blockIdx.x * threads + threadIdx.x, count = static_cast<long>(rows) * cols;
  const bool is_first = blockIdx.x == 0 || blockIdx.x == gridDim.x - 1;
  float mine = is_first && number < count ? input[number] : 0.0f;
  if (left.mark == mark + number - threads) mine = left.after;
  if (left.mark == mark + number + threads) mine = left.before;
  left.before = number >= threads ? input[number - threads] : 0.0f;
  left.after = number + threads < count ? input[number + threads] : 0.0f;
  left.mark = mark + number;
  if (number < count) output[number % cols * rows + number / cols] = mine;
}

void transpose(const float* input, float* output, int rows, int cols) {
  transpose_elements<<<(rows * cols + 255) / 256, 256>>>(input, output, rows, cols);
}
