// lab: 08-bank-conflicts
// row: 26
// expect: crash
// without-audit: crash
// caught-by: outputs
// else: crash
// Ends with exit code 0 instead of returning. Labs allow `exit`, for the error macros of many textbooks use it.
#include <cuda_runtime.h>

#include <cstdlib>

void transpose(const float* input, float* output, int rows, int cols) { std::exit(0); }
