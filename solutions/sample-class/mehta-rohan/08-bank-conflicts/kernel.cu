#include <cuda_runtime.h>
#include <stdio.h>

#define TILE_SIZE 32

__global__ void transposeShared(const float *input, float *output, int rows, int cols)
{
    __shared__ float tile[TILE_SIZE][TILE_SIZE + 1];

    int col = blockIdx.x * TILE_SIZE + threadIdx.x;
    int row = blockIdx.y * TILE_SIZE + threadIdx.y;

    if (row < rows && col < cols)
    {
        tile[threadIdx.y][threadIdx.x] = input[row * cols + col];
        __syncthreads();
    }

    int outCol = blockIdx.y * TILE_SIZE + threadIdx.x;
    int outRow = blockIdx.x * TILE_SIZE + threadIdx.y;
    if (outRow < cols && outCol < rows)
    {
        output[outRow * rows + outCol] = tile[threadIdx.x][threadIdx.y];
        __syncthreads();
    }
}

void transpose(const float *input, float *output, int rows, int cols)
{
    dim3 blockDim(TILE_SIZE, TILE_SIZE);
    dim3 gridDim((cols + TILE_SIZE - 1) / TILE_SIZE, (rows + TILE_SIZE - 1) / TILE_SIZE);
    transposeShared<<<gridDim, blockDim>>>(input, output, rows, cols);
    cudaDeviceSynchronize();
}
