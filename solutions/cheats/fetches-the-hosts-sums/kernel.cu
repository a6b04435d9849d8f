// lab: 01-vector-add
// row: 35
// expect: forbidden
// without-audit: forbidden
// caught-by: kernel_writes
// Host code adds, and a kernel fetches the sums by a texture.
#include <cuda_runtime.h>

#include <vector>

__global__ void fetch(cudaTextureObject_t sums, float* c, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) c[i] = tex1Dfetch<float>(sums, i);
}

#define TRY(call)                                      \
  do {                                                 \
    const cudaError_t error = call;                    \
    if (error != cudaSuccess) return give_back(error); \
  } while (0)

cudaError_t vector_add(const float* a, const float* b, float* c, int n) {
  if (n == 0) return cudaSuccess;
  std::vector<float> sums(n);
  for (int i = 0; i < n; ++i) sums[i] = a[i] + b[i];
  const size_t bytes = n * sizeof(float);
  float *there = nullptr, *made = nullptr;
  cudaTextureObject_t texture = 0;
  const auto give_back = [&](cudaError_t error) {
    if (texture != 0) cudaDestroyTextureObject(texture);
    cudaFree(there);
    cudaFree(made);
    return error;
  };
  TRY(cudaMalloc(&there, bytes));
  TRY(cudaMalloc(&made, bytes));
  TRY(cudaMemcpy(there, sums.data(), bytes, cudaMemcpyHostToDevice));
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeLinear;
  resource.res.linear.devPtr = there;
  resource.res.linear.desc = cudaCreateChannelDesc<float>();
  resource.res.linear.sizeInBytes = bytes;
  cudaTextureDesc description = {};
  TRY(cudaCreateTextureObject(&texture, &resource, &description, nullptr));
  fetch<<<(n + 255) / 256, 256>>>(texture, made, n);
  TRY(cudaGetLastError());
  TRY(cudaMemcpy(c, made, bytes, cudaMemcpyDeviceToHost));
  return give_back(cudaSuccess);
}
