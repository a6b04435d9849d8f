#include <cuda_runtime.h>
#include <cmath>
using namespace std;

const int TW = 16;

__global__ void producto(const float* M, const float* N, float* P, int j, int k, int l) {
  __shared__ float Ms[TW][TW];
  __shared__ float Ns[TW][TW];
  int fila = blockIdx.y * TW + threadIdx.y;
  int col = blockIdx.x * TW + threadIdx.x;
  float valor = 0;
  // cuantas fases: k entre el ancho del tile
  for (int fase = 0; fase < ceil((float)(k / TW)); ++fase) {
    if (fila < j)
      Ms[threadIdx.y][threadIdx.x] = M[fila * k + fase * TW + threadIdx.x];
    else
      Ms[threadIdx.y][threadIdx.x] = 0;
    if (col < l)
      Ns[threadIdx.y][threadIdx.x] = N[(fase * TW + threadIdx.y) * l + col];
    else
      Ns[threadIdx.y][threadIdx.x] = 0;
    __syncthreads();
    for (int p = 0; p < TW; ++p) valor += Ms[threadIdx.y][p] * Ns[p][threadIdx.x];
    __syncthreads();
  }
  if (fila < j && col < l) P[fila * l + col] = valor;
}

void matrix_multiply(const float* a, const float* b, float* c, int j, int k, int l) {
  dim3 bloque(TW, TW);
  dim3 rejilla(ceil(l / (float)TW), ceil(j / (float)TW));
  producto<<<rejilla, bloque>>>(a, b, c, j, k, l);
}
