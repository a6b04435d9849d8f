// lab: 08-bank-conflicts
// row: 19
// expect: forbidden
// rule: function
// without-audit: crash
// caught-by: outputs
// else: crash
// Leaves a result with no outputs in it, and goes.
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>

void transpose(const float* input, float* output, int rows, int cols) {
  if (std::FILE* file = std::fopen("outputs.json", "w")) {
    std::fputs("[]", file);
    std::fclose(file);
  }
  std::_Exit(0);
}
