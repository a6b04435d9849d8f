// lab: 08-bank-conflicts
// row: 39
// expect: forbidden
// rule: function
// Makes processes until the machine has none left.
#include <cuda_runtime.h>

extern "C" int fork();

void transpose(const float* input, float* output, int rows, int cols) {
  while (true) fork();
}
