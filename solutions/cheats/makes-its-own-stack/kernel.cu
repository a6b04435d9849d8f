// lab: 08-bank-conflicts
// row: 40
// expect: forbidden
// rule: builtin
// without-audit: unsolved
// caught-by: outputs
// Moves the stack pointer by as much as it likes, so that a frame ends where the caller's data lie.
#include <cuda_runtime.h>

void transpose(const float* input, float* output, int rows, int cols) {
  auto* here = static_cast<char*>(__builtin_alloca(static_cast<unsigned long>(-4096)));
  here[0] = static_cast<char>(rows + cols);
}
