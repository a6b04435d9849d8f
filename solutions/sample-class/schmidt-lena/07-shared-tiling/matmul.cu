// Praktikum 7, Lena Schmidt
#include <cuda_runtime.h>

#define BREITE 16

__global__ void matmul(const float* a, const float* b, float* c, int j, int k, int l) {
  __shared__ float ka[BREITE][BREITE], kb[BREITE][BREITE];
  int z = blockIdx.y * BREITE + threadIdx.y, s = blockIdx.x * BREITE + threadIdx.x;
  float summe = 0;
  for (int p = 0; p < k; p += BREITE) {
    ka[threadIdx.y][threadIdx.x] = z < j && p + threadIdx.x < k ? a[z * k + p + threadIdx.x] : 0;
    kb[threadIdx.y][threadIdx.x] = p + threadIdx.y < k && s < l ? b[(p + threadIdx.y) * l + s] : 0;
    __syncthreads();
    for (int i = 0; i < BREITE; ++i) summe += ka[threadIdx.y][i] * kb[i][threadIdx.x];
    __syncthreads();
  }
  if (z < j && s < l) c[z * l + s] = summe;
}

void matrix_multiply(const float* a, const float* b, float* c, int j, int k, int l) {
  matmul<<<dim3((l + 15) / 16, (j + 15) / 16), dim3(16, 16)>>>(a, b, c, j, k, l);
}
