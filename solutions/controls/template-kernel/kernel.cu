// lab: 01-vector-add
// expect: pass
// earns: 100..100
// The kernel is a template over the operation, and its parameters are called otherwise than the vectors.
#include <cuda_runtime.h>

template <class T>
struct plus {
  __device__ T operator()(T x, T y) const { return x + y; }
};

template <class T, class Operation>
__global__ void combine(const T* left, const T* right, T* result, int count, Operation operation) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x)
    result[i] = operation(left[i], right[i]);
}

class device_vector {
 public:
  ~device_vector() {
    if (data_ != nullptr) cudaFree(data_);
  }
  cudaError_t allocate(int n) { return cudaMalloc(&data_, n * sizeof(float)); }
  float* data() { return data_; }

 private:
  float* data_ = nullptr;
};

cudaError_t vector_add(const float* a, const float* b, float* c, int n) {
  device_vector x, y, z;
  const size_t bytes = n * sizeof(float);
  for (device_vector* v : {&x, &y, &z})
    if (const cudaError_t error = v->allocate(n); error != cudaSuccess) return error;
  if (const cudaError_t error = cudaMemcpy(x.data(), a, bytes, cudaMemcpyHostToDevice); error != cudaSuccess)
    return error;
  if (const cudaError_t error = cudaMemcpy(y.data(), b, bytes, cudaMemcpyHostToDevice); error != cudaSuccess)
    return error;
  combine<<<(n + 127) / 128, 128>>>(x.data(), y.data(), z.data(), n, plus<float>());
  if (const cudaError_t error = cudaGetLastError(); error != cudaSuccess) return error;
  return cudaMemcpy(c, z.data(), bytes, cudaMemcpyDeviceToHost);
}
