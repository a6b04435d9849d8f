// Managed memory: arrays, objects with an operator new of their own, prefetch and advice.
#include <cuda_runtime.h>
#include <iostream>
#include <string.h>
class Managed {
 public:
  void* operator new(size_t len) {
    void* ptr;
    cudaMallocManaged(&ptr, len);
    cudaDeviceSynchronize();
    return ptr;
  }
  void operator delete(void* ptr) {
    cudaDeviceSynchronize();
    cudaFree(ptr);
  }
};
class Vector : public Managed {
  int length;
  float* data;
 public:
  explicit Vector(int n) : length(n) {
    cudaMallocManaged(&data, n * sizeof(float));
    for (int i = 0; i < n; i++) data[i] = i;
  }
  ~Vector() { cudaFree(data); }
  __host__ __device__ float& operator[](int i) { return data[i]; }
  __host__ __device__ int size() const { return length; }
};
struct Node {
  int value;
  Node* next;
};
__global__ void doubleAll(Vector* v) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < v->size()) (*v)[i] *= 2;
}
__global__ void walk(const Node* head, int* sum) {
  for (const Node* n = head; n; n = n->next) *sum += n->value;
}
int main() {
  Vector* v = new Vector(100);
  doubleAll<<<4, 32>>>(v);
  cudaDeviceSynchronize();
  std::cout << (*v)[99] << std::endl;
  delete v;
  Node* nodes;
  int *sum, device = -1;
  cudaMallocManaged((void**)&nodes, 5 * sizeof(Node));
  cudaMallocManaged(&sum, sizeof(int), cudaMemAttachGlobal);
  *sum = 0;
  for (int i = 0; i < 5; i++) nodes[i] = {i, i < 4 ? &nodes[i + 1] : nullptr};
  cudaGetDevice(&device);
  walk<<<1, 1>>>(nodes, sum);
  cudaError_t e = cudaDeviceSynchronize();
  std::cout << *sum << " " << cudaGetErrorString(e) << std::endl;
  memset(nodes, 0, 5 * sizeof(Node));
  cudaFree(nodes);
  cudaFree(sum);
}
