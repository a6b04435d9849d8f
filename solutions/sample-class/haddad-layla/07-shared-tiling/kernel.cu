#include <cuda_runtime.h>

static const int S = 8;  // 64 threads per block

__global__ void multiply(const float *A, const float *B, float *C, int rowsA, int colsA, int colsB) {
  __shared__ float sA[S * S];
  __shared__ float sB[S * S];
  int r = threadIdx.y + blockIdx.y * S;
  int c = threadIdx.x + blockIdx.x * S;
  float v = 0.0f;
  for (int t = 0; t < colsA; t += S) {
    sA[threadIdx.y * S + threadIdx.x] = 0;
    sB[threadIdx.y * S + threadIdx.x] = 0;
    if (r < rowsA && t + threadIdx.x < colsA) sA[threadIdx.y * S + threadIdx.x] = A[r * colsA + t + threadIdx.x];
    if (c < colsB && t + threadIdx.y < colsA) sB[threadIdx.y * S + threadIdx.x] = B[(t + threadIdx.y) * colsB + c];
    __syncthreads();
    for (int x = 0; x < S; x++) v = v + sA[threadIdx.y * S + x] * sB[x * S + threadIdx.x];
    __syncthreads();
  }
  if (r < rowsA && c < colsB) C[r * colsB + c] = v;
}

void matrix_multiply(const float *a, const float *b, float *c, int j, int k, int l) {
  dim3 block(S, S);
  dim3 grid((l + S - 1) / S, (j + S - 1) / S);
  multiply<<<grid, block>>>(a, b, c, j, k, l);
}
