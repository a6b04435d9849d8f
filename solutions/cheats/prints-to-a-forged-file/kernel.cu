// lab: 08-bank-conflicts
// row: 37
// expect: crash
// caught-by: closed_memory
// Prints a character to a file of its own making, whose buffer is the runner's memory; the same character stands there.
#include <cuda_runtime.h>

#include <cstdio>
#include <cstring>
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
  std::string forged, copy;
  const struct {
    char* begin;
    size_t size, capacity, unused;
  } parts{above, 8, 8, 0};
  memcpy(static_cast<void*>(&forged), &parts, sizeof parts);
  copy = forged;  // what stands there
  new (&forged) std::string;
  static long lock[4];
  FILE file;
  memset(&file, 0, sizeof file);
  file._lock = lock;
  file._IO_write_base = file._IO_write_ptr = above;
  file._IO_write_end = above + 8;
  fputc(copy[0], &file);
  move<<<dim3((cols + 31) / 32, (rows + 7) / 8), dim3(32, 8)>>>(input, output, rows, cols);
}
