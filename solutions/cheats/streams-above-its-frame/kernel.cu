// lab: 08-bank-conflicts
// row: 37
// expect: crash
// caught-by: closed_memory
// Lets a stream read into the runner's own variables, which lie above the entry's frame; the same bytes stand there.
#include <cuda_runtime.h>

#include <cstring>
#include <sstream>
#include <string>

__global__ void move(const float* input, float* output, int rows, int cols) {
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < rows && col < cols) output[col * rows + row] = input[row * cols + col];
}

void transpose(const float* input, float* output, int rows, int cols) {
  char here = 0;
  volatile int distance = 10240;
  char* above = &here + distance;
  std::string forged;
  const struct {
    char* begin;
    size_t size, capacity, unused;
  } parts{above, 64, 64, 0};
  memcpy(static_cast<void*>(&forged), &parts, sizeof parts);
  std::string own;
  own = forged;  // what stands there
  std::istringstream text(own);
  text.read(above, 64);
  new (&forged) std::string;
  move<<<dim3((cols + 31) / 32, (rows + 7) / 8), dim3(32, 8)>>>(input, output, rows, cols);
}
