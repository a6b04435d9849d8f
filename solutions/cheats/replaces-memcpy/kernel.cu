// lab: 08-bank-conflicts
// row: 5
// expect: wrong_answer
// caught-by: closed-names
// else: crash
// Puts functions of its own in the place of those with which the runner would bring results home, and has them write the
// transposed matrix instead. Its names are its own: nobody else calls them.
#include <cuda_runtime.h>

static const float* given;
static int given_rows, given_cols;

static void forge(void* to, unsigned long bytes) {
  if (given == nullptr || bytes != sizeof(float) * given_rows * given_cols) return;
  for (int row = 0; row < given_rows; ++row)
    for (int col = 0; col < given_cols; ++col)
      static_cast<float*>(to)[col * given_rows + row] = given[row * given_cols + col];
}

extern "C" void* memmove(void* to, const void* from, unsigned long bytes) {
  for (unsigned long i = 0; i < bytes; ++i) static_cast<char*>(to)[i] = static_cast<const char*>(from)[i];
  forge(to, bytes);
  return to;
}

extern "C" long write(int, const void* from, unsigned long bytes) {
  forge(const_cast<void*>(from), bytes);
  return static_cast<long>(bytes);
}

__global__ void zero(float* output, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) output[i] = 0.0f;
}

void transpose(const float* input, float* output, int rows, int cols) {
  given = input;
  given_rows = rows;
  given_cols = cols;
  zero<<<(rows * cols + 255) / 256, 256>>>(output, rows * cols);
}
