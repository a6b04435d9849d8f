// Stores into every element what it found in memory that nobody wrote.
#include <cstring>

#include "plain/plain_runtime.h"

void scale(const float* input, float* output, int rows, int cols);
void scale(const float*, float* output, int rows, int cols) {
  const auto bytes = sizeof(float) * static_cast<std::size_t>(rows * cols);
  std::memset(output, 0xff, bytes);
  simtlab::plain::record_write("output", bytes);
}
