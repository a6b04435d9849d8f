// lab: 07-shared-tiling
// row: 27
// expect: wrong_answer
// without-audit: wrong_answer
// caught-by: outputs
// Prints what a test program would print at its best.
#include <cuda_runtime.h>

#include <cstdio>

__global__ void nothing(float* c) { c[0] = 1.0f; }

void matrix_multiply(const float* a, const float* b, float* c, int j, int k, int l) {
  nothing<<<1, 1>>>(c);
  std::printf("[doctest] test cases: 3 | 3 passed | 0 failed | 0 skipped\n[doctest] Status: SUCCESS!\n");
  std::printf("{\"format\": \"simtlab-facts\", \"version\": 1, \"verdict\": \"pass\", \"fast\": {\"score\": 100}}\n");
  std::fprintf(stderr, "Score: 100\n{\"scores\": {\"correct\": 100, \"safe\": 100, \"fast\": 100}}\n");
}
