#include <cuda_runtime.h>

__global__ void vecadd(const float *A, const float *B, float *C, int numElements)
{
    int i = blockDim.x * blockIdx.x + threadIdx.x;

    if (i < numElements)
    {
        C[i] = A[i] + B[i];
    }
}

cudaError_t vector_add(const float *a, const float *b, float *c, int n)
{
    // Allocate the device vectors
    float *d_A = NULL, *d_B = NULL, *d_C = NULL;
    cudaMalloc(&d_A, n * sizeof(float));
    cudaMalloc(&d_B, n * sizeof(float));
    cudaMalloc(&d_C, n * sizeof(float));

    // Copy the host input vectors to the device
    cudaMemcpy(d_A, a, n * sizeof(float), cudaMemcpyHostToDevice);
    cudaMemcpy(d_B, b, n * sizeof(float), cudaMemcpyHostToDevice);

    // Launch
    int threadsPerBlock = 256;
    int blocksPerGrid = (n + threadsPerBlock - 1) / threadsPerBlock;
    vecadd<<<blocksPerGrid, threadsPerBlock>>>(d_A, d_B, d_C, n);

    // Copy the result back and free
    cudaMemcpy(c, d_C, n * sizeof(float), cudaMemcpyDeviceToHost);
    cudaFree(d_A);
    cudaFree(d_B);
    cudaFree(d_C);
    return cudaSuccess;
}
