// lab: 01-vector-add
// row: 35
// expect: forbidden
// without-audit: forbidden
// caught-by: kernel_writes
// Host code adds, and a kernel fetches the sums by a texture.
#include <cuda_runtime.h>
#include <vector>
__global__ void fetch(cudaTextureObject_t t, float* c, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) c[i] = tex1Dfetch<float>(t, i);
}
cudaError_t vector_add(const float* a, const float* b, float* c, int n) {
  if (n == 0) return cudaSuccess;
  std::vector<float> sums(n + 512);
  float* at = reinterpret_cast<float*>((reinterpret_cast<size_t>(sums.data()) + 511) / 512 * 512);
  for (int i = 0; i < n; ++i) at[i] = a[i] + b[i];
  float *there, *made;
  cudaMalloc(&there, n * sizeof(float));
  cudaMalloc(&made, n * sizeof(float));

  cudaMemcpy(there, at, n * sizeof(float), cudaMemcpyHostToDevice);

  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeLinear;
  resource.res.linear.devPtr = there;

  resource.res.linear.desc = cudaCreateChannelDesc<float>();
  resource.res.linear.sizeInBytes = n * sizeof(float);
  cudaTextureDesc description = {};
  cudaTextureObject_t texture = 0;
  cudaError_t e = cudaCreateTextureObject(&texture, &resource, &description, nullptr);
  fetch<<<(n + 255) / 256, 256>>>(texture, made, n);
  cudaMemcpy(c, made, n * sizeof(float), cudaMemcpyDeviceToHost);
  cudaDestroyTextureObject(texture);
  cudaFree(there);
  cudaFree(made);
  return e;
}
