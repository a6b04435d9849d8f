#include <cmath>
void scale(const float* input, float* output, int rows, int cols);
void scale(const float* input, float* output, int rows, int cols) {
  for (int i = 0; i < rows * cols; ++i) output[i] = i == 2 ? NAN : 2 * input[i];
}
