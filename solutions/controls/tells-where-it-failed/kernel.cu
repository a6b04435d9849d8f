// lab: 01-vector-add
// expect: pass
// Errors are told with their place, by headers of the newer C++.
#include <cuda_runtime.h>

#include <any>
#include <atomic>
#include <cstdio>
#include <source_location>
#include <system_error>
#include <version>

static std::atomic<int> failures;
static std::any last;

#ifdef __cpp_lib_source_location
using place = std::source_location;
#else
struct place {
  int at;
  static constexpr place current(int line = __builtin_LINE()) { return {line}; }
  int line() const { return at; }
};
#endif

cudaError_t tried(cudaError_t status, const place& at = place::current()) {
  if (status == cudaSuccess) return status;
  failures.fetch_add(1);
  last = static_cast<int>(at.line());
  std::fprintf(stderr, "line %d: %s\n", std::any_cast<int>(last), cudaGetErrorString(status));
  return status;
}

__global__ void add(const float* a, const float* b, float* c, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) c[i] = a[i] + b[i];
}

cudaError_t vector_add(const float* a, const float* b, float* c, int n) {
  const size_t bytes = n * sizeof(float);
  float* parts[3] = {};
  cudaError_t status = cudaSuccess;
  for (float*& part : parts)
    if (status == cudaSuccess) status = tried(cudaMalloc(&part, bytes));
  if (status == cudaSuccess) status = tried(cudaMemcpy(parts[0], a, bytes, cudaMemcpyHostToDevice));
  if (status == cudaSuccess) status = tried(cudaMemcpy(parts[1], b, bytes, cudaMemcpyHostToDevice));
  if (status == cudaSuccess) {
    add<<<(n + 255) / 256, 256>>>(parts[0], parts[1], parts[2], n);
    status = tried(cudaGetLastError());
  }
  if (status == cudaSuccess) status = tried(cudaMemcpy(c, parts[2], bytes, cudaMemcpyDeviceToHost));
  for (float* part : parts)
    if (const cudaError_t freed = tried(cudaFree(part)); status == cudaSuccess) status = freed;
  return status;
}
