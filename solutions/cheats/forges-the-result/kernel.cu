// lab: 08-bank-conflicts
// row: 19
// expect: forbidden
// rule: function
// without-audit: crash
// caught-by: system_calls
// else: implausible
// Writes a result of its own, in the runner's words as far as it knows them, and leaves.
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>

void transpose(const float* input, float* output, int rows, int cols) {
  if (std::FILE* file = std::fopen("result.json", "w")) {
    std::fputs("{\"format\": \"simtlab-result\", \"version\": 1, \"ended\": \"returned\", \"score\": 100}", file);
    std::fclose(file);
  }
  std::_Exit(0);
}
