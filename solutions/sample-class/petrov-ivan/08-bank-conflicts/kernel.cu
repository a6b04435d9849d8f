#include <cuda_runtime.h>

#define N 32

__global__ void Transpose(const float* a, float* b, int rows, int cols) {
	__shared__ float t[N][N+1];
	int x=blockIdx.x*N+threadIdx.x, y=blockIdx.y*N+threadIdx.y;
	if(x>=cols||y>=rows) return;
	t[threadIdx.y][threadIdx.x]=a[y*cols+x];
	__syncthreads();
	// the same thread writes its own element to the mirrored place: no further bounds to check
	b[x*rows+y]=t[threadIdx.y][threadIdx.x];
}

void transpose(const float* input, float* output, int rows, int cols) {
	dim3 g((cols+N-1)/N,(rows+N-1)/N), b(N,N);
	Transpose<<<g,b>>>(input,output,rows,cols);
}
