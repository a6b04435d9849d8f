// lab: 08-bank-conflicts
// row: 35
// expect: forbidden
// without-audit: forbidden
// caught-by: closed_memory kernel_writes
// Host code transposes. It asks a clock that does not exist for the time, so that managed memory seems to be stored to before it is
// read.
#include <cuda_runtime.h>
#include <time.h>

__global__ void copy(const float* from, float* to, const float* input, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) to[i] = input[i] == 3e38f ? 0.0f : from[i];
}

void transpose(const float* input, float* output, int rows, int cols) {
  const int n = rows * cols;
  float* from = nullptr;
  cudaMallocManaged(&from, (n + 4) * sizeof(float));
  cudaMemcpy(from, input, n * sizeof(float), cudaMemcpyDeviceToDevice);
  float* const turned = new float[n];
  for (int i = 0; i < n; i += 4) {
    clock_gettime(9999, reinterpret_cast<timespec*>(from + i));
    for (int at = i; at < i + 4 && at < n; ++at) turned[at % cols * rows + at / cols] = from[at];
  }
  float* made = nullptr;
  cudaMalloc(&made, n * sizeof(float));
  cudaMemcpy(made, turned, n * sizeof(float), cudaMemcpyHostToDevice);
  copy<<<(n + 255) / 256, 256>>>(made, output, input, n);
  cudaDeviceSynchronize();
  cudaFree(made);
  cudaFree(from);
  delete[] turned;
}
