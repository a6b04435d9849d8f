// lab: 01-vector-add
// expect: pass
// earns: 99..100
// Both vectors are read through textures of linear memory, each lane beside the last.
#include <cuda_runtime.h>

constexpr int threads = 128;

__global__ void add(cudaTextureObject_t a, cudaTextureObject_t b, float* c, int n) {
  const int i = blockIdx.x * threads + threadIdx.x;
  if (i < n) c[i] = tex1Dfetch<float>(a, i) + tex1Dfetch<float>(b, i);
}

cudaError_t make_texture(cudaTextureObject_t* texture, float* elements, size_t bytes) {
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeLinear;
  resource.res.linear.devPtr = elements;
  resource.res.linear.desc = cudaCreateChannelDesc<float>();
  resource.res.linear.sizeInBytes = bytes;
  cudaTextureDesc description = {};
  description.readMode = cudaReadModeElementType;
  return cudaCreateTextureObject(texture, &resource, &description, nullptr);
}

cudaError_t add_on_device(float* a, float* b, float* c, int n) {
  cudaTextureObject_t of_a = 0, of_b = 0;
  cudaError_t error = make_texture(&of_a, a, n * sizeof(float));
  if (error == cudaSuccess) error = make_texture(&of_b, b, n * sizeof(float));
  if (error == cudaSuccess) {
    constexpr int elements = threads;
    add<<<(n + elements - 1) / elements, threads>>>(of_a, of_b, c, n);
    error = cudaGetLastError();
  }
  if (of_a != 0) cudaDestroyTextureObject(of_a);
  if (of_b != 0) cudaDestroyTextureObject(of_b);
  return error;
}

cudaError_t vector_add(const float* a, const float* b, float* c, int n) {
  const size_t bytes = n * sizeof(float);
  float* device[3] = {};
  cudaError_t error = cudaSuccess;
  for (float*& vector : device)
    if (error == cudaSuccess) error = cudaMalloc(&vector, bytes);
  if (error == cudaSuccess) error = cudaMemcpy(device[0], a, bytes, cudaMemcpyHostToDevice);
  if (error == cudaSuccess) error = cudaMemcpy(device[1], b, bytes, cudaMemcpyHostToDevice);
  if (error == cudaSuccess) error = add_on_device(device[0], device[1], device[2], n);
  if (error == cudaSuccess) error = cudaMemcpy(c, device[2], bytes, cudaMemcpyDeviceToHost);
  for (float* vector : device) cudaFree(vector);
  return error;
}
