// A child that holds the pipe open must not hold the judge.
#include <unistd.h>
void scale(const float* input, float* output, int rows, int cols);
void scale(const float* input, float* output, int rows, int cols) {
  if (fork() == 0) {
    for (int i = 0; i < 60; ++i) sleep(1);
    _exit(0);
  }
  for (int i = 0; i < rows * cols; ++i) output[i] = 2 * input[i];
}
