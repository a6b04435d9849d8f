// lab: 08-bank-conflicts
// row: 37
// expect: forbidden
// rule: internal-name
// without-audit: crash
// caught-by: closed_memory
// Lets std::string store to what the emulator knows of the program's variables: the string's pointer is not its own.
#include <cuda_runtime.h>

#include <cstring>
#include <string>

extern char __start_simtlab_symbols[];
__device__ int variable;

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
  std::string own, forged;
  parts p{__start_simtlab_symbols, 16, 16, 0};
  memcpy(static_cast<void*>(&forged), &p, sizeof p);
  own = forged;  // what stands there
  p.size = 8;
  memcpy(static_cast<void*>(&forged), &p, sizeof p);
  forged.append(own, 8, 7);  // stands there again
  new (&forged) std::string;
  const int zero = 0;
  cudaMemcpyToSymbol(variable, &zero, sizeof zero);
  move<<<dim3((cols + 31) / 32, (rows + 7) / 8), dim3(32, 8)>>>(input, output, rows, cols);
}
