// lab: 08-bank-conflicts
// row: 25
// expect: wrong_answer
// caught-by: outputs
// The same with an object that lives until the program ends.
#include <cuda_runtime.h>

#include <cstdio>

__global__ void zero(float* output, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) output[i] = 0.0f;
}

struct mender {
  int calls = 0;
  ~mender() {
    if (calls > 0) std::printf("{\"verdict\": \"pass\"}\n");
  }
};
static mender last;

void transpose(const float* input, float* output, int rows, int cols) {
  ++last.calls;
  zero<<<(rows * cols + 255) / 256, 256>>>(output, rows * cols);
}
