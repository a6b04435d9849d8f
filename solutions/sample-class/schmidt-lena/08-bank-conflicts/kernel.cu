// Praktikum 8, Lena Schmidt
#include <cuda_runtime.h>

#define KACHEL 32

// Jeder Thread schreibt ein Element in die Kachel; transponiert wird beim Ablegen.
__global__ void transponiere(const float* ein, float* aus, int zeilen, int spalten) {
  __shared__ float kachel[KACHEL][KACHEL];
  int s = blockIdx.x * KACHEL + threadIdx.x;
  int z = blockIdx.y * KACHEL + threadIdx.y;
  if (z < zeilen && s < spalten) kachel[threadIdx.x][threadIdx.y] = ein[z * spalten + s];
  __syncthreads();
  s = blockIdx.y * KACHEL + threadIdx.x;
  z = blockIdx.x * KACHEL + threadIdx.y;
  if (z < spalten && s < zeilen) aus[z * zeilen + s] = kachel[threadIdx.y][threadIdx.x];
}

void transpose(const float* input, float* output, int rows, int cols) {
  dim3 gitter((cols + KACHEL - 1) / KACHEL, (rows + KACHEL - 1) / KACHEL);
  transponiere<<<gitter, dim3(KACHEL, KACHEL)>>>(input, output, rows, cols);
}
