// lab: 08-bank-conflicts
// expect: pass
// Volatile accesses, memset and memcpy of its own memory, and the host's heap.
#include <cuda_runtime.h>
#include <stdlib.h>
#include <string.h>

__global__ void move(const float* input, float* output, int rows, int cols) {
  __shared__ volatile float line[32];
  const int row = blockIdx.y;
  const int col = blockIdx.x * 32 + threadIdx.x;
  if (col < cols) line[threadIdx.x] = input[row * cols + col];
  __syncwarp();
  if (col < cols) output[col * rows + row] = line[threadIdx.x];
}

void transpose(const float* input, float* output, int rows, int cols) {
  char* text = (char*)malloc(64);
  memset(text, 0, 64);
  memcpy(text, "rows", 5);
  const size_t length = strlen(text);
  free(text);
  if (length != 4) return;
  move<<<dim3((cols + 31) / 32, rows), 32>>>(input, output, rows, cols);
}
