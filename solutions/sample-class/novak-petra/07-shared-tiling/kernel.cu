#include <cuda_runtime.h>

#define W 16

__global__ void mm(const float* A, const float* B, float* C, int j, int k, int l)
{
	__shared__ float a[W][W], b[W][W];
	int r = blockIdx.y * W + threadIdx.y;
	int q = blockIdx.x * W + threadIdx.x;
	float acc = 0.0f;

	for (int p = 0; p < k; p += W) {
		a[threadIdx.y][threadIdx.x] = (r < j && p + threadIdx.x < k) ? A[r * k + p + threadIdx.x] : 0;
		b[threadIdx.y][threadIdx.x] = (p + threadIdx.y < k && q < l) ? B[(p + threadIdx.y) * l + q] : 0;
		__syncthreads();

		for (int i = 0; i < W; ++i)
			acc += a[threadIdx.y][i] * b[i][threadIdx.x];
	}
	if (r < j && q < l)
		C[r * l + q] = acc;
}

void matrix_multiply(const float* a, const float* b, float* c, int j, int k, int l)
{
	dim3 g((l + W - 1) / W, (j + W - 1) / W), t(W, W);
	mm<<<g, t>>>(a, b, c, j, k, l);
}
