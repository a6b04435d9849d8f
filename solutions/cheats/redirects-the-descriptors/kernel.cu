// lab: 08-bank-conflicts
// row: 24
// expect: forbidden
// rule: function
// without-audit: unsolved
// caught-by: outputs
// Puts its own output in the place of every descriptor that is open.
#include <cuda_runtime.h>

extern "C" int dup2(int from, int to);

void transpose(const float* input, float* output, int rows, int cols) {
  for (int descriptor = 3; descriptor < 32; ++descriptor) dup2(1, descriptor);
}
