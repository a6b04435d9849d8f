// lab: 08-bank-conflicts
// row: 46
// expect: crash
// without-audit: crash
// caught-by: closed_memory
// A function changes what its frame keeps for its caller, and leaves the frame by an exception, so that it never returns.
#include <cuda_runtime.h>

__global__ void move(const float* input, float* output, int rows, int cols) {
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < rows && col < cols) output[col * rows + row] = input[row * cols + col];
}

__attribute__((noinline)) void change(long number, long more, volatile long* used) {
  long here[2] = {number, more};
  volatile long* word = here;
  used[0] = number;
  for (int i = 2; i < 24; ++i)
    if (word[i] == number) word[i] = number + more;
  used[1] = more;
  if (used[1] == more) throw number;
}

void transpose(const float* input, float* output, int rows, int cols) {
  volatile long used[2] = {0, 0};
  volatile long given = 0x5eed0000L + rows;
  const long number = given;
  long sum = 0;
  for (int i = 0; i < 3; ++i) {
    try {
      change(number, 7, used);
    } catch (long thrown) {
      sum += thrown + number;
    }
  }
  if (sum != 0) move<<<dim3((cols + 31) / 32, (rows + 7) / 8), dim3(32, 8)>>>(input, output, rows, cols);
}
