// lab: 08-bank-conflicts
// expect: pass
// Results of the runtime's functions in variables of every kind: locals, statics, members, elements, managed memory.
#include <cuda_runtime.h>

#include <cstdio>
#include <memory>
#include <vector>

__global__ void move(const float* input, float* output, int rows, int cols) {
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < rows && col < cols) output[col * rows + row] = input[row * cols + col];
}

struct gpu {
  int number = -1;
  cudaDeviceProp properties;
  std::vector<size_t> memory{0, 0};
};
static int devices;
static cudaEvent_t marks[2];

void transpose(const float* input, float* output, int rows, int cols) {
  static gpu first;
  auto on_heap = std::make_unique<gpu>();
  cudaGetDeviceCount(&devices);
  cudaGetDevice(&first.number);
  cudaGetDeviceProperties(&on_heap->properties, first.number);
  cudaMemGetInfo(&first.memory[0], &first.memory[1]);
  for (cudaEvent_t& mark : marks) cudaEventCreate(&mark);
  int *value = nullptr, *pinned = nullptr;
  cudaMallocManaged(&value, sizeof *value);
  cudaDeviceGetAttribute(value, cudaDevAttrWarpSize, 0);
  cudaMallocHost(&pinned, 2 * sizeof *pinned);
  pinned[0] = devices;
  cudaMemcpy(pinned + 1, pinned, sizeof *pinned, cudaMemcpyHostToHost);
  char word[8];
  int width = 0;
  if (std::sscanf("warp 32", "%7s %d", word, &width) != 2 || width != *value) return;
  cudaEventRecord(marks[0]);
  move<<<dim3((cols + 31) / 32, (rows + 7) / 8), dim3(32, 8)>>>(input, output, rows, cols);
  cudaEventRecord(marks[1]);
  cudaEventSynchronize(marks[1]);
  float milliseconds = 0;
  cudaEventElapsedTime(&milliseconds, marks[0], marks[1]);
  for (const cudaEvent_t mark : marks) cudaEventDestroy(mark);
  cudaFreeHost(pinned);
  cudaFree(value);
}
