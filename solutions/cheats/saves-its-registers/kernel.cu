// lab: 08-bank-conflicts
// row: 40
// expect: forbidden
// rule: builtin
// without-audit: forbidden
// caught-by: code-verifier
// else: crash
// Writes 512 bytes with one instruction, above the frame of its function.
#include <cuda_runtime.h>

void transpose(const float* input, float* output, int rows, int cols) {
  char here = 0;
  __builtin_ia32_fxsave64(&here + 4096);
}
