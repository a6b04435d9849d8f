// Amara Okafor, lab 7
#include <cuda_runtime.h>

#define TILE_WIDTH 16

__global__ void matrixMultiplyShared(const float* A, const float* B, float* C, int numARows, int numAColumns,
                                     int numBColumns) {
  __shared__ float subTileA[TILE_WIDTH][TILE_WIDTH];
  __shared__ float subTileB[TILE_WIDTH][TILE_WIDTH];

  int bx = blockIdx.x;
  int by = blockIdx.y;
  int tx = threadIdx.x;
  int ty = threadIdx.y;

  int Row = by * TILE_WIDTH + ty;
  int Col = bx * TILE_WIDTH + tx;
  float Cvalue = 0.0f;

  for (int m = 0; m < (numAColumns - 1) / TILE_WIDTH + 1; m++) {
    // load, with zeros outside
    if (Row < numARows && m * TILE_WIDTH + tx < numAColumns) {
      subTileA[ty][tx] = A[Row * numAColumns + m * TILE_WIDTH + tx];
    } else {
      subTileA[ty][tx] = 0.0f;
    }
    if (m * TILE_WIDTH + ty < numAColumns && Col < numBColumns) {
      subTileB[ty][tx] = B[(m * TILE_WIDTH + ty) * numBColumns + Col];
    } else {
      subTileB[ty][tx] = 0.0f;
    }
    __syncthreads();
    for (int k = 0; k < TILE_WIDTH; k++) {
      Cvalue += subTileA[ty][k] * subTileB[k][tx];
    }
    __syncthreads();
  }
  if (Row < numARows && Col < numBColumns) {
    C[Row * numBColumns + Col] = Cvalue;
  }
}

void matrix_multiply(const float* a, const float* b, float* c, int j, int k, int l) {
  dim3 dimGrid((l - 1) / TILE_WIDTH + 1, (j - 1) / TILE_WIDTH + 1, 1);
  dim3 dimBlock(TILE_WIDTH, TILE_WIDTH, 1);
  matrixMultiplyShared<<<dimGrid, dimBlock>>>(a, b, c, j, k, l);
}
