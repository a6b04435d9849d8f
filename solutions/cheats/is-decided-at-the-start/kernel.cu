// lab: 08-bank-conflicts
// row: 5
// expect: forbidden
// rule: attribute
// without-audit: forbidden
// caught-by: translator
// Lets the loader choose which function the entry is.
#include <cuda_runtime.h>
typedef void way(const float*, float*, int, int);

__global__ void move(const float* input, float* output, int rows, int cols) {
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < rows && col < cols) output[col * rows + row] = input[row * cols + col];
}
static void one(const float*, float*, int, int) {}
extern "C" way* choose() { return one; }
void chosen(const float*, float*, int, int) __attribute__((ifunc("choose")));

void transpose(const float* input, float* output, int rows, int cols) {
  chosen(input, output, rows, cols);
  move<<<dim3((cols + 31) / 32, (rows + 7) / 8), dim3(32, 8)>>>(input, output, rows, cols);
}
