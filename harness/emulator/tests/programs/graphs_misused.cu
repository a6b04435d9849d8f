// What a graph does not order, host code that does not wait for it, and a kernel that nobody knows by its address.
#include <cstdio>

__global__ void fill(int* x, int value, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] = value;
}

void no_kernel() {}

int main() {
  int n = 256, one = 1, two = 2;
  int *x, *host;
  cudaMalloc(&x, n * sizeof(int));
  cudaMallocHost(&host, n * sizeof(int));
  cudaGraph_t graph;
  cudaGraphNode_t first, second, back;
  cudaGraphCreate(&graph, 0);
  void* of_first[] = {&x, &one, &n};
  void* of_second[] = {&x, &two, &n};
  cudaKernelNodeParams parameters = {};
  parameters.func = (void*)fill;
  parameters.gridDim = dim3(1);
  parameters.blockDim = dim3(256);
  parameters.kernelParams = of_first;
  cudaGraphAddKernelNode(&first, graph, nullptr, 0, &parameters);
  parameters.kernelParams = of_second;
  cudaGraphAddKernelNode(&second, graph, nullptr, 0, &parameters);  // does not wait for the first
  cudaGraphAddMemcpyNode1D(&back, graph, &second, 1, host, x, n * sizeof(int), cudaMemcpyDeviceToHost);
  cudaGraphExec_t instance;
  cudaGraphInstantiate(&instance, graph, 0);
  cudaGraphLaunch(instance, 0);
  std::printf("%d\n", host[0]);  // has not waited
  cudaDeviceSynchronize();

  parameters.func = (void*)no_kernel;
  std::printf("%s\n", cudaGetErrorName(cudaGraphAddKernelNode(&second, graph, nullptr, 0, &parameters)));
  parameters.func = (void*)fill;
  parameters.blockDim = dim3(2048);
  std::printf("%s\n", cudaGetErrorName(cudaGraphAddKernelNode(&second, graph, nullptr, 0, &parameters)));
  cudaGraphDestroy(graph);
  std::printf("%s\n", cudaGetErrorName(cudaGraphInstantiate(&instance, graph, 0)));
  cudaGetLastError();
  cudaGraphExecDestroy(instance);
  cudaFree(x);
  cudaFreeHost(host);
}
