#include <cuda_runtime.h>

#define TILE_WIDTH 16

// following the pseudocode of the lecture
__global__ void MatrixMulKernel(const float *M, const float *N, float *P, int j, int k, int l)
{
    __shared__ float ds_M[TILE_WIDTH][TILE_WIDTH];
    __shared__ float ds_N[TILE_WIDTH][TILE_WIDTH];
    int bx = blockIdx.x;  int by = blockIdx.y;
    int tx = threadIdx.x; int ty = threadIdx.y;
    int Row = by * TILE_WIDTH + ty;
    int Col = bx * TILE_WIDTH + tx;
    float Pvalue = 0;
    for (int t = 0; t < (k - 1) / TILE_WIDTH + 1; ++t)
    {
        if (Row < j && t * TILE_WIDTH + tx < k)
            ds_M[ty][tx] = M[Row * l + t * TILE_WIDTH + tx];
        else
            ds_M[ty][tx] = 0.0;
        if (t * TILE_WIDTH + ty < k && Col < l)
            ds_N[ty][tx] = N[(t * TILE_WIDTH + ty) * l + Col];
        else
            ds_N[ty][tx] = 0.0;
        __syncthreads();
        for (int i = 0; i < TILE_WIDTH; ++i)
            Pvalue += ds_M[ty][i] * ds_N[i][tx];
        __syncthreads();
    }
    if (Row < j && Col < l)
        P[Row * l + Col] = Pvalue;
}

void matrix_multiply(const float *a, const float *b, float *c, int j, int k, int l)
{
    dim3 DimGrid((l - 1) / TILE_WIDTH + 1, (j - 1) / TILE_WIDTH + 1, 1);
    dim3 DimBlock(TILE_WIDTH, TILE_WIDTH, 1);
    MatrixMulKernel<<<DimGrid, DimBlock>>>(a, b, c, j, k, l);
}
