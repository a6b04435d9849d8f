// Calls that newer versions of CUDA have dropped or that matter with several GPUs, and page-locked memory.
#include <stdio.h>
#include <cuda_runtime.h>
#include <device_launch_parameters.h>

__global__ void square(float *a, int n) {
  int i = threadIdx.x + blockDim.x * blockIdx.x;
  if (i < n) a[i] = a[i] * a[i];
}

int main() {
  const int n = 100;
  int count = 0, device = -1, version = 0;
  cudaGetDeviceCount(&count);
  if (count == 0 || cudaSetDevice(0) != cudaSuccess) return 1;
  cudaGetDevice(&device);
  printf("device %d of %d, another: %s\n", device, count, cudaGetErrorString(cudaSetDevice(count)));
  cudaGetLastError();
  cudaRuntimeGetVersion(&version);
  float *pinned, *other, *d;
  cudaHostAlloc((void **)&pinned, n * sizeof(float), cudaHostAllocDefault);
  cudaMallocHost((void **)&other, n * sizeof(float));
  cudaMalloc((void **)&d, n * sizeof(float));
  for (int i = 0; i < n; ++i) pinned[i] = i;
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  cudaMemcpyAsync(d, pinned, n * sizeof(float), cudaMemcpyHostToDevice, stream);
  square<<<(n + 31) / 32, 32, 0, stream>>>(d, n);
  cudaMemcpyAsync(other, d, n * sizeof(float), cudaMemcpyDeviceToHost, stream);
  cudaStreamSynchronize(stream);
  cudaThreadSynchronize();
  cudaStreamCaptureStatus status;
  cudaGraph_t graph;
  const cudaGraphNode_t *after;
  const cudaGraphEdgeData *edges;
  size_t second = 0, third = 0, nodes = 0, dependent = 1, ends = 0;
  cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
  cudaMemsetAsync(d, 0, n * sizeof(float), stream);
  cudaStreamGetCaptureInfo_v2(stream, &status, NULL, NULL, &after, &second);
  cudaGraphNode_t fill = after[0], next;
  cudaMemsetAsync(d, 0, sizeof(float), stream);
  cudaStreamGetCaptureInfo_v3(stream, &status, NULL, NULL, &after, &edges, &third);
  next = after[0];
  cudaStreamUpdateCaptureDependencies(stream, &fill, 1, cudaStreamSetCaptureDependencies);
  cudaMemsetAsync(d, 0, sizeof(float), stream);
  cudaStreamUpdateCaptureDependencies(stream, &next, 1, cudaStreamAddCaptureDependencies);
  cudaStreamEndCapture(stream, &graph);
  cudaGraphNodeGetDependentNodes(fill, NULL, &dependent);
  cudaGraphRemoveDependencies(graph, &fill, &next, 1);
  cudaGraphGetNodes(graph, NULL, &nodes);
  cudaGraphGetEdges(graph, NULL, NULL, &ends);
  printf("%zu, %zu, %zu nodes, %zu behind the first, then %zu edge\n", second, third, nodes, dependent, ends);
  cudaGraphDestroy(graph);
  printf("%g %g\n", other[3], other[99]);
  cudaStreamDestroy(stream);
  cudaFree(d);
  cudaFreeHost(pinned);
  cudaFreeHost(other);
  cudaThreadExit();
  return 0;
}
