// lab: 08-bank-conflicts
// row: 46
// expect: crash
// without-audit: crash
// caught-by: closed_memory
// A function that the library's sort calls stores above its own frame, where the sort keeps its registers and where it returns to.
#include <cuda_runtime.h>

#include <cstdlib>

__global__ void move(const float* input, float* output, int rows, int cols) {
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < rows && col < cols) output[col * rows + row] = input[row * cols + col];
}

int compare(const void* a, const void* b) {
  volatile long here[2] = {1, 2};
  volatile long* word = here;
  for (int i = 2; i < 24; ++i) word[i] = word[i];  // what stands there
  const int left = *static_cast<const int*>(a), right = *static_cast<const int*>(b);
  return left < right ? -1 : left > right;
}

void transpose(const float* input, float* output, int rows, int cols) {
  int numbers[4] = {rows, cols, 3, 2};
  qsort(numbers, 4, sizeof numbers[0], compare);
  if (numbers[0] <= numbers[3])
    move<<<dim3((cols + 31) / 32, (rows + 7) / 8), dim3(32, 8)>>>(input, output, rows, cols);
}
