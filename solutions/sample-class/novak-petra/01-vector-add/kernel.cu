#include <cuda_runtime.h>
#include <stdlib.h>

__global__ void kernel(const float* a, const float* b, float* c, int n)
{
	int i = threadIdx.x + blockIdx.x * blockDim.x;
	if (i >= n) return;
	c[i] = a[i] + b[i];
}

// frees what is not NULL and passes the error on
static cudaError_t finish(float* x, float* y, float* z, cudaError_t e)
{
	cudaFree(x);
	cudaFree(y);
	cudaFree(z);
	return e;
}

cudaError_t vector_add(const float* a, const float* b, float* c, int n)
{
	float *x = NULL, *y = NULL, *z = NULL;
	cudaError_t e;

	if ((e = cudaMalloc(&x, n * 4))) return finish(x, y, z, e);
	if ((e = cudaMalloc(&y, n * 4))) return finish(x, y, z, e);
	if ((e = cudaMalloc(&z, n * 4))) return finish(x, y, z, e);
	if ((e = cudaMemcpy(x, a, n * 4, cudaMemcpyHostToDevice))) return finish(x, y, z, e);
	if ((e = cudaMemcpy(y, b, n * 4, cudaMemcpyHostToDevice))) return finish(x, y, z, e);

	kernel<<<(n + 511) / 512, 512>>>(x, y, z, n);
	if ((e = cudaGetLastError())) return finish(x, y, z, e);
	if ((e = cudaDeviceSynchronize())) return finish(x, y, z, e);

	e = cudaMemcpy(c, z, n * 4, cudaMemcpyDeviceToHost);
	return finish(x, y, z, e);
}
