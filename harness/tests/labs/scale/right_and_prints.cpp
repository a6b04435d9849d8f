#include <cstdio>
void scale(const float* input, float* output, int rows, int cols);
void scale(const float* input, float* output, int rows, int cols) {
  std::printf("rows = %d, cols = %d\n", rows, cols);
  for (int i = 0; i < rows * cols; ++i) output[i] = 2 * input[i];
}
