// lab: 08-bank-conflicts
// row: 25
// expect: forbidden
// rule: function
// without-audit: wrong_answer
// caught-by: outputs
// Wrong, and leaves a function behind that would mend the results when the program ends.
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>

__global__ void zero(float* output, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) output[i] = 0.0f;
}

static void mend() {
  std::remove("result.json");
  if (std::FILE* file = std::fopen("result.json", "w")) {
    std::fputs("{}", file);
    std::fclose(file);
  }
}

void transpose(const float* input, float* output, int rows, int cols) {
  std::atexit(mend);
  zero<<<(rows * cols + 255) / 256, 256>>>(output, rows * cols);
}
