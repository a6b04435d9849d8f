// Copies that begin or end behind their memory, and sizes that came out negative.
#include <cuda_runtime.h>

int main() {
  const int n = 100;
  float host[2 * n] = {};
  float *x, *apart;
  cudaMalloc(&x, n * sizeof(float));
  cudaMemcpy(x, host, (n + 1) * sizeof(float), cudaMemcpyHostToDevice);  // one too many
  cudaMemcpy(x + n, host, 4 * sizeof(float), cudaMemcpyHostToDevice);    // behind all
  cudaMemcpy(host, x + n + 4, 4 * sizeof(float), cudaMemcpyDeviceToHost);
  for (int begin = 96; begin < 120; begin += 16)  // 4 elements; then there is no more
    cudaMemset(x + begin, 0, (n - begin) * sizeof(float));
  cudaMemset(x + 4, 0, (3 - 5) * sizeof(float));
  cudaFree(x);
  cudaMalloc(&apart, sizeof(float));
  cudaMemcpy(host, apart + (1 << 24), sizeof(float), cudaMemcpyDeviceToHost);  // nowhere near
  cudaFree(apart);
}
