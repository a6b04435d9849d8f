#include <cuda_runtime.h>
#include <stdio.h>

#define TILE 16

__global__ void matmul(const float* A, const float* B, float* C, int j, int k, int l) {
  __shared__ float As[TILE][TILE];
  __shared__ float Bs[TILE][TILE];
  int lin = blockIdx.y * TILE + threadIdx.y;
  int col = blockIdx.x * TILE + threadIdx.x;
  float soma = 0;
  for (int f = 0; f < (k + TILE - 1) / TILE; f++) {
    As[threadIdx.y][threadIdx.x] = (lin < j && f * TILE + threadIdx.x < k) ? A[lin * k + f * TILE + threadIdx.x] : 0;
    Bs[threadIdx.y][threadIdx.x] = (f * TILE + threadIdx.y < k && col < l) ? B[(f * TILE + threadIdx.y) * l + col] : 0;
    __syncthreads()
    for (int p = 0; p < TILE; p++)
      soma += As[threadIdx.y][p] * Bs[p][threadIdx.x];
    __syncthreads();
  }
  if (linha < j && col < l) C[linha * l + col] = soma;
}

void matrix_multiply(const float* a, const float* b, float* c, int j, int k, int l) {
  dim3 grade((l + TILE - 1) / TILE, (j + TILE - 1) / TILE);
  dim3 bloco(TILE, TILE);
  matmul<<<grade, bloco>>>(a, b, c, j, k, l);
}
