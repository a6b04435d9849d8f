// Leaves the input alone in its first call only.
void scale(const float* input, float* output, int rows, int cols);
void scale(const float* input, float* output, int rows, int cols) {
  static bool done = false;
  for (int i = 0; i < rows * cols; ++i) output[i] = 2 * input[i];
  if (done) const_cast<float*>(input)[0] = 7;
  done = true;
}
