void scale(const float* input, float* output, int rows, int cols);
void scale(const float*, float*, int, int) {}
