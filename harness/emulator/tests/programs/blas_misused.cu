// What goes wrong with cuBLAS: sizes that cannot be, memory that is too small, the host's or not set, streams without order.
#include <cublas_v2.h>
#include <cuda_runtime.h>

#include <cstdio>

__global__ void fill(float* x) { x[threadIdx.x] = 1; }

int main() {
  cublasHandle_t h;
  cublasCreate(&h);
  const int n = 4;
  float host[n * n] = {}, one = 1, zero = 0, sum;
  float *a, *b, *c;
  cudaMalloc(&a, n * n * sizeof(float));
  cudaMalloc(&b, n * n * sizeof(float));
  cudaMalloc(&c, n * n);  // elements, not bytes
  cublasSetMatrix(n, n, sizeof(float), host, n, a, n);
  std::printf("%s\n", cublasGetStatusName(
                          cublasSgemm(h, CUBLAS_OP_N, CUBLAS_OP_N, n, n, -1, &one, a, n, a, n, &zero, a, n)));
  std::printf("%s\n", cublasGetStatusName(
                          cublasSgemm(h, CUBLAS_OP_N, CUBLAS_OP_N, n, n, n, &one, a, 2, a, n, &zero, b, n)));
  std::printf("%s\n", cublasGetStatusName(
                          cublasSgemm(h, CUBLAS_OP_N, CUBLAS_OP_N, n, n, n, &one, a, n, a, n, &zero, c, n)));
  std::printf("%s\n", cublasGetStatusName(cublasSgemv(h, CUBLAS_OP_N, n, n, &one, a, n, host, 1, &zero, b, 1)));
  cublasSasum(h, n, b, 1, &sum);
  cublasSasum(h, 2 * n * n, a, 1, &sum);
  cudaFree(c);
  cublasSscal(h, n, &one, c, 1);
  cudaStream_t one_stream, other;
  cudaStreamCreate(&one_stream);
  cudaStreamCreate(&other);
  fill<<<1, n, 0, one_stream>>>(a);
  cublasSetStream(h, other);
  cublasSscal(h, n, &one, a, 1);
  cudaDeviceSynchronize();
  cublasDestroy(h);
  std::printf("%s\n", cublasGetStatusName(cublasSscal(h, n, &one, a, 1)));
  cudaFree(a);
  cudaFree(b);
}
