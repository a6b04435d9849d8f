// Right, with everything that a device entry may do beside its kernel: it clears the output, copies a table from the host
// and a flag to it, and uses host memory of its own.
#include <cuda_runtime.h>

#include <iomanip>
#include <iostream>
#include <map>
#include <string>
#include <vector>

void scale(const float* input, float* output, int rows, int cols);

__device__ int finished;

__global__ void multiply(const float* input, float* output, const float* factor, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(&output[i], factor[i % 8] * input[i]);
  if (i == 0) finished = 1;
}

void scale(const float* input, float* output, int rows, int cols) {
  static int calls = 0;
  const int n = rows * cols;
  std::map<std::string, std::vector<float>> tables;
  tables["a name that is too long for a short string"].assign(8, 2.0f);
  float* factor = nullptr;
  cudaMalloc(&factor, 8 * sizeof(float));
  cudaMemcpy(factor, tables.begin()->second.data(), 8 * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemset(output, 0, n * sizeof(float));
  multiply<<<(n + 127) / 128, 128>>>(input, output, factor, n);
  int flag = 0;
  cudaMemcpyFromSymbol(&flag, finished, sizeof flag);
  cudaFree(factor);
  std::cout << "call " << ++calls << std::setprecision(3) << std::fixed << ": " << 1.0 * flag << std::endl;
}
