#include <stdio.h>
#include <cuda_runtime.h>

/* every thread works on its own piece of the vectors, like we did with pthreads last semester */
__global__ void add_pieces(const float *a, const float *b, float *c, int n, int piece)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    int begin = t * piece;
    int end = begin + piece;
    if (end > n)
        end = n;
    for (int i = begin; i < end; i++)
        c[i] = a[i] + b[i];
}

cudaError_t vector_add(const float *a, const float *b, float *c, int n)
{
    float *da = NULL, *db = NULL, *dc = NULL;
    int bytes = n * sizeof(float);
    cudaError_t err;

    err = cudaMalloc(&da, bytes);
    if (err == cudaSuccess)
        err = cudaMalloc(&db, bytes);
    if (err == cudaSuccess)
        err = cudaMalloc(&dc, bytes);
    if (err == cudaSuccess)
        err = cudaMemcpy(da, a, bytes, cudaMemcpyHostToDevice);
    if (err == cudaSuccess)
        err = cudaMemcpy(db, b, bytes, cudaMemcpyHostToDevice);
    if (err == cudaSuccess) {
        int piece = 32;
        int threads = (n + piece - 1) / piece;
        add_pieces<<<(threads + 63) / 64, 64>>>(da, db, dc, n, piece);
        err = cudaGetLastError();
    }
    if (err == cudaSuccess)
        err = cudaMemcpy(c, dc, bytes, cudaMemcpyDeviceToHost);
    if (err != cudaSuccess)
        printf("CUDA error: %s\n", cudaGetErrorString(err));
    cudaFree(da);
    cudaFree(db);
    cudaFree(dc);
    return err;
}
