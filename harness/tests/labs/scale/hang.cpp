void scale(const float* input, float* output, int rows, int cols);
void scale(const float*, float*, int, int) {
  for (volatile int i = 0;;) i = i + 1;
}
