#include <cuda_runtime.h>

__global__ void mat_mul(const float *a, const float *b, float *c, int j, int k, int l)
{
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    int col = blockIdx.x * blockDim.x + threadIdx.x;

    if (row >= j || col >= l)
        return;

    float sum = 0.0;
    for (int i = 0; i < k; i++)
        sum += a[row * k + i] * b[i * l + col];
    c[row * l + col] = sum;
}

void matrix_multiply(const float *a, const float *b, float *c, int j, int k, int l)
{
    dim3 threads(16, 16);
    dim3 blocks((l + 15) / 16, (j + 15) / 16);
    mat_mul<<<blocks, threads>>>(a, b, c, j, k, l);
}
