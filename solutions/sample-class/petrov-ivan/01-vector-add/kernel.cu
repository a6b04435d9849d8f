#include <cuda_runtime.h>

__global__ void Add(const float* a, const float* b, float* c, int n) {
	int i = blockIdx.x*blockDim.x+threadIdx.x;
	if(i<n) c[i]=a[i]+b[i];
}

cudaError_t vector_add(const float* a, const float* b, float* c, int n) {
	// unified addressing: pointers work everywhere
	Add<<<(n+255)/256,256>>>(a,b,c,n);
	cudaError_t e=cudaGetLastError();
	if(e!=cudaSuccess) return e;
	return cudaDeviceSynchronize();
}
