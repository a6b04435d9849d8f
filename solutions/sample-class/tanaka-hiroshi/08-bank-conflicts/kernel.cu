#include <cuda_runtime.h>

#define T 32

__global__ void transpose_shared(const float *in, float *out, int rows, int cols)
{
    __shared__ float buf[T][T];

    int x = blockIdx.x * T + threadIdx.x;
    int y = blockIdx.y * T + threadIdx.y;
    if (x < cols && y < rows)
        buf[threadIdx.y][threadIdx.x] = in[y * cols + x];

    __syncthreads();

    x = blockIdx.y * T + threadIdx.x;
    y = blockIdx.x * T + threadIdx.y;
    if (x < rows && y < cols)
        out[y * rows + x] = buf[threadIdx.x][threadIdx.y];
}

void transpose(const float *input, float *output, int rows, int cols)
{
    dim3 threads(T, T);
    dim3 blocks((cols + T - 1) / T, (rows + T - 1) / T);
    transpose_shared<<<blocks, threads>>>(input, output, rows, cols);
}
