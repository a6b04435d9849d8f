#include <cuda_runtime.h>

#define LARGEUR 16

__global__ void produit(const float *a, const float *b, float *c, int j, int k, int l)
{
  __shared__ float ta[LARGEUR][LARGEUR];
  __shared__ float tb[LARGEUR][LARGEUR];

  const unsigned int tx = threadIdx.x, ty = threadIdx.y;
  const unsigned int i = blockIdx.y * LARGEUR + ty;
  const unsigned int m = blockIdx.x * LARGEUR + tx;
  float somme = 0.0f;

  for (unsigned int phase = 0; phase * LARGEUR < k; phase++)
  {
    // seulement les elements qui existent
    if (i < j && phase * LARGEUR + tx < k)
      ta[ty][tx] = a[i * k + phase * LARGEUR + tx];
    if (phase * LARGEUR + ty < k && m < l)
      tb[ty][tx] = b[(phase * LARGEUR + ty) * l + m];
    __syncthreads();

    for (unsigned int p = 0; p < LARGEUR; p++)
      somme += ta[ty][p] * tb[p][tx];
    __syncthreads();
  }

  if (i < j && m < l)
    c[i * l + m] = somme;
}

void matrix_multiply(const float *a, const float *b, float *c, int j, int k, int l)
{
  dim3 blocs((l - 1) / LARGEUR + 1, (j - 1) / LARGEUR + 1);
  dim3 threads(LARGEUR, LARGEUR);
  produit<<<blocs, threads>>>(a, b, c, j, k, l);
}
