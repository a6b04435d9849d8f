#include <cuda_runtime.h>

constexpr int TILE = 16;
constexpr int COARSE = 4;  // tiles of C per block, side by side

__global__ void matmulCoarse(const float* M, const float* N, float* P, int j, int k, int l) {
  __shared__ float Mds[TILE][TILE];
  __shared__ float Nds[TILE][TILE];
  int tx = threadIdx.x, ty = threadIdx.y;
  int row = blockIdx.y * TILE + ty;
  int colStart = blockIdx.x * TILE * COARSE + tx;

  float Pvalue[COARSE];
  for (int c = 0; c < COARSE; ++c) Pvalue[c] = 0.0f;

  for (int ph = 0; ph < (k + TILE - 1) / TILE; ++ph) {
    Mds[ty][tx] = (row < j && ph * TILE + tx < k) ? M[row * k + ph * TILE + tx] : 0.0f;
    for (int c = 0; c < COARSE; ++c) {
      int col = colStart + c * TILE;
      Nds[ty][tx] = (ph * TILE + ty < k && col < l) ? N[(ph * TILE + ty) * l + col] : 0.0f;
      __syncthreads();
      for (int i = 0; i < TILE; ++i) Pvalue[c] += Mds[ty][i] * Nds[i][tx];
      __syncthreads();
    }
  }

  for (int c = 0; c < COARSE; ++c) {
    int col = colStart + c * TILE;
    if (row < j && col < l) P[row * l + col] = Pvalue[c];
  }
}

void matrix_multiply(const float* a, const float* b, float* c, int j, int k, int l) {
  dim3 block(TILE, TILE);
  dim3 grid((l + TILE * COARSE - 1) / (TILE * COARSE), (j + TILE - 1) / TILE);
  matmulCoarse<<<grid, block>>>(a, b, c, j, k, l);
}
