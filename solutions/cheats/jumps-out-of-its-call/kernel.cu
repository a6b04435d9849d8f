// lab: 08-bank-conflicts
// row: 26
// expect: forbidden
// rule: function
// Leaves the call by another way than its end.
#include <cuda_runtime.h>
extern "C" int _setjmp(void*);
extern "C" [[noreturn]] void longjmp(void*, int);
static long place[32];

__global__ void move(const float* input, float* output, int rows, int cols) {
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < rows && col < cols) output[col * rows + row] = input[row * cols + col];
}

void transpose(const float* input, float* output, int rows, int cols) {
  if (_setjmp(place)) return;
  move<<<dim3((cols + 31) / 32, (rows + 7) / 8), dim3(32, 8)>>>(input, output, rows, cols);
  longjmp(place, 1);
}
