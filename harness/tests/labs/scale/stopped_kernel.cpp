#include <cuda_runtime.h>
void scale(const float* input, float* output, int rows, int cols);
void scale(const float*, float* output, int, int) {
  output[0] = 0;
  simtlab::plain::set_last_error(cudaErrorIllegalAddress);
}
