// The first call is right; later ones are off in the last digits, as in another precision.
void scale(const float* input, float* output, int rows, int cols);
void scale(const float* input, float* output, int rows, int cols) {
  static bool again = false;
  for (int i = 0; i < rows * cols; ++i) output[i] = 2 * input[i] * (again ? 1.0F + 0x1p-21F : 1.0F);
  again = true;
}
