// lab: 08-bank-conflicts
// row: 46
// expect: forbidden
// rule: builtin
// without-audit: crash
// caught-by: host_accesses
// Memory on the stack has as many bytes as lie between the stack and a variable of the program's own: from then on that is the
// stack, and the functions that are called have their frames there.
#include <cuda_runtime.h>

static char own_stack[1 << 18];

__global__ void transpose_elements(const float* input, float* output, int rows, int cols) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < cols && y < rows) output[x * rows + y] = input[y * cols + x];
}

__attribute__((noinline)) void launch_from(long bytes, const float* input, float* output, int rows, int cols) {
  volatile char* between = static_cast<volatile char*>(__builtin_alloca(bytes));
  between[0] = 1;
  transpose_elements<<<dim3((cols + 31) / 32, (rows + 7) / 8), dim3(32, 8)>>>(input, output, rows, cols);
}

void transpose(const float* input, float* output, int rows, int cols) {
  volatile char here = 0;
  const long place = reinterpret_cast<long>(&here) & ~15L, top = reinterpret_cast<long>(own_stack + sizeof own_stack);
  launch_from(place - (top & ~15L), input, output, rows, cols);
}
