#include <cuda_runtime.h>
#include <stdio.h>

#define TILE_SIZE 32

__global__ void tiledMatMul(const float *A, const float *B, float *C, int m, int n, int p)
{
    __shared__ float tileA[TILE_SIZE][TILE_SIZE];
    __shared__ float tileB[TILE_SIZE][TILE_SIZE];

    int row = blockIdx.y * TILE_SIZE + threadIdx.y;
    int col = blockIdx.x * TILE_SIZE + threadIdx.x;
    float sum = 0;

    // check boundary first so that no thread goes out of the matrix
    if (row < m && col < p)
    {
        for (int t = 0; t < (n + TILE_SIZE - 1) / TILE_SIZE; t++)
        {
            int aCol = t * TILE_SIZE + threadIdx.x;
            int bRow = t * TILE_SIZE + threadIdx.y;
            tileA[threadIdx.y][threadIdx.x] = aCol < n ? A[row * n + aCol] : 0;
            tileB[threadIdx.y][threadIdx.x] = bRow < n ? B[bRow * p + col] : 0;
            __syncthreads();

            for (int i = 0; i < TILE_SIZE; i++)
                sum += tileA[threadIdx.y][i] * tileB[i][threadIdx.x];
            __syncthreads();
        }
        C[row * p + col] = sum;
    }
}

void matrix_multiply(const float *a, const float *b, float *c, int j, int k, int l)
{
    dim3 blockDim(TILE_SIZE, TILE_SIZE);
    dim3 gridDim((l + TILE_SIZE - 1) / TILE_SIZE, (j + TILE_SIZE - 1) / TILE_SIZE);
    tiledMatMul<<<gridDim, blockDim>>>(a, b, c, j, k, l);
    cudaDeviceSynchronize();
}
