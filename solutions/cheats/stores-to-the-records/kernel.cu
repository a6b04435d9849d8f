// lab: 08-bank-conflicts
// row: 46
// expect: forbidden
// rule: internal-name
// without-audit: crash
// caught-by: closed_memory
// Has std::string read where the records of the thread's frames are, and store to one of them.
#include <cuda_runtime.h>

#include <cstdint>
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
struct stack {
  uintptr_t begin, bytes, records;
};

void transpose(const float* input, float* output, int rows, int cols) {
  std::string read, before;
  read.append(simtlab_hooks + 72, sizeof(stack));
  stack own{};
  memcpy(&own, read.data(), sizeof own);
  char here = 0;
  volatile uintptr_t place = reinterpret_cast<uintptr_t>(&here) / 16 * 16 - 4096 + 8;
  char* const record = reinterpret_cast<char*>(own.records + (place - own.begin) * 4);
  before.append(record, 8);
  std::string forged;
  const parts p{record, 0, 64, 0};
  memcpy(static_cast<void*>(&forged), &p, sizeof p);
  forged.append(before);  // as it was
  new (&forged) std::string;
  move<<<dim3((cols + 31) / 32, (rows + 7) / 8), dim3(32, 8)>>>(input, output, rows, cols);
}
