// lab: 08-bank-conflicts
// row: 46
// expect: forbidden
// rule: internal-name
// without-audit: crash
// caught-by: closed_memory
// Lets std::string store zeros where the thread keeps what its hooks and the records of its frames are found by: with no records no
// return would be compared.
#include <cuda_runtime.h>

#include <cstring>
#include <string>

extern __thread char simtlab_hooks[];

__global__ void move(const float* input, float* output, int rows, int cols) {
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < rows && col < cols) output[col * rows + row] = input[row * cols + col];
}

struct parts {
  char* begin;
  size_t size, capacity, unused;
};

void transpose(const float* input, float* output, int rows, int cols) {
  std::string forged;
  const parts p{simtlab_hooks + 72, 0, 64, 0};
  memcpy(static_cast<void*>(&forged), &p, sizeof p);
  forged.append(24, '\0');  // begin and length of the stack, and where the records are
  new (&forged) std::string;
  move<<<dim3((cols + 31) / 32, (rows + 7) / 8), dim3(32, 8)>>>(input, output, rows, cols);
}
