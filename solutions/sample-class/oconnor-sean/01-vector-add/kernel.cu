#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>

__global__ void add(const float *x, const float *y, float *z, int n)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) z[i] = x[i] + y[i];
}

cudaError_t vector_add(const float *a, const float *b, float *c, int n)
{
  float *d_x = NULL, *d_y = NULL, *d_z = NULL;
  float *h_z = NULL;
  int i;

  cudaMalloc(&d_x, n * sizeof(float));
  cudaMalloc(&d_y, n * sizeof(float));
  cudaMalloc(&d_z, n * sizeof(float));
  cudaMemcpy(d_x, a, n * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemcpy(d_y, b, n * sizeof(float), cudaMemcpyHostToDevice);

  add<<<(n + 255) / 256, 256>>>(d_x, d_y, d_z, n);
  cudaDeviceSynchronize();

  /* bring the result back into a host buffer, then into c */
  cudaMemcpy(c, d_z, n * sizeof(float), cudaMemcpyDeviceToHost);
  for (i = 0; i < n; i++)
    h_z[i] = c[i];

  free(h_z);
  cudaFree(d_x);
  cudaFree(d_y);
  cudaFree(d_z);
  return cudaGetLastError();
}
