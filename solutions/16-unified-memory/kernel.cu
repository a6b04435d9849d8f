// Lab 16: the same work three ways. A signal of n samples is amplified `steps` times, one step after the other, and clipped
// at 1 and -1 after each: by explicit copies, in managed memory, and in streams.
//
// `signal`, `gains`, `copied`, `managed`, `streamed` and `clipped` lie in the memory of the *host*. n is at least 1, steps
// from 1 to 8.
#include <cuda_runtime.h>

#include <cstddef>
#include <cstring>

// The step's gains: a variable of the device. Host code reaches it with cudaMemcpyToSymbol alone.
__device__ float gain_of_step[8];

// How often a sample was clipped, over all steps: a managed variable, which host code and kernels both use by this name.
__managed__ int clipped_samples;

// One step. `x` is a device pointer or a managed one; `count` may be null.
__global__ void amplify(float* x, int n, int step, int* count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float value = gain_of_step[step] * x[i];
  if (value < -1.0f || value > 1.0f) {
    value = value < 0.0f ? -1.0f : 1.0f;
    if (count != nullptr) atomicAdd(count, 1);
  }
  x[i] = value;
}

// All steps on n samples, one after the other, in a stream; 0 is the default stream. Returns the launches' error.
cudaError_t amplify_all(float* x, int n, int steps, int* count, cudaStream_t stream) {
  for (int step = 0; step < steps; ++step) amplify<<<(n + 255) / 256, 256, 0, stream>>>(x, n, step, count);
  return cudaGetLastError();
}

// Where pages go: 0 is the device, cudaCpuDeviceId the host. Up to CUDA 12 the API takes the number, then a cudaMemLocation.
struct place {
  int device;
  operator int() const { return device; }
  operator cudaMemLocation() const {
    return {device == cudaCpuDeviceId ? cudaMemLocationTypeHost : cudaMemLocationTypeDevice, device};
  }
};

// cudaMemPrefetchAsync in the default stream.
cudaError_t prefetch(const void* pointer, size_t bytes, int device) {
  return cudaMemPrefetchAsync(pointer, bytes, place{device}, 0);
}

// The first way: device memory, and explicit copies. How often does the signal have to cross the bus?
cudaError_t with_copies(const float* signal, float* result, int n, int steps) {
  cudaError_t status = cudaSuccess;
  //@@ begin solution
  const size_t bytes = n * sizeof(float);
  float* x = nullptr;
  status = cudaMalloc(&x, bytes);
  if (status == cudaSuccess) status = cudaMemcpy(x, signal, bytes, cudaMemcpyHostToDevice);
  if (status == cudaSuccess) status = amplify_all(x, n, steps, nullptr, 0);
  if (status == cudaSuccess) status = cudaMemcpy(result, x, bytes, cudaMemcpyDeviceToHost);
  cudaFree(x);
  //@@ end solution
  return status;
}

// The second way: managed memory, no copies, and the number of clipped samples. Who may touch it when, and where are its pages?
cudaError_t with_managed_memory(const float* signal, float* result, int* clipped, int n, int steps) {
  cudaError_t status = cudaSuccess;
  //@@ begin solution
  const size_t bytes = n * sizeof(float);
  float* x = nullptr;
  status = cudaMallocManaged(&x, bytes);
  if (status != cudaSuccess) return status;
  std::memcpy(x, signal, bytes);
  clipped_samples = 0;
  status = prefetch(x, bytes, 0);
  if (status == cudaSuccess) status = amplify_all(x, n, steps, &clipped_samples, 0);
  if (status == cudaSuccess) status = prefetch(x, bytes, cudaCpuDeviceId);
  if (status == cudaSuccess) status = cudaDeviceSynchronize();
  if (status == cudaSuccess) {
    std::memcpy(result, x, bytes);
    *clipped = clipped_samples;
  }
  cudaFree(x);
  //@@ end solution
  return status;
}

// The third way: pieces of the signal in several streams, so that the bus and the kernels work at the same time.
cudaError_t with_streams(const float* signal, float* result, int n, int steps) {
  cudaError_t status = cudaSuccess;
  //@@ begin solution
  const size_t bytes = n * sizeof(float);
  const int pieces = 8;
  const int piece = (n + pieces - 1) / pieces;
  float* x = nullptr;
  cudaStream_t streams[3] = {};
  for (cudaStream_t& stream : streams)
    if (status == cudaSuccess) status = cudaStreamCreate(&stream);
  if (status == cudaSuccess) status = cudaMalloc(&x, bytes);
  cudaHostRegister(const_cast<float*>(signal), bytes, cudaHostRegisterDefault);
  cudaHostRegister(result, bytes, cudaHostRegisterDefault);
  cudaGetLastError();  // what cannot be page-locked is copied all the same
  for (int p = 0, begin = 0; begin < n && status == cudaSuccess; ++p, begin += piece) {
    const int length = begin + piece < n ? piece : n - begin;
    const cudaStream_t stream = streams[p % 3];
    status = cudaMemcpyAsync(x + begin, signal + begin, length * sizeof(float), cudaMemcpyHostToDevice, stream);
    if (status == cudaSuccess) status = amplify_all(x + begin, length, steps, nullptr, stream);
    if (status == cudaSuccess)
      status = cudaMemcpyAsync(result + begin, x + begin, length * sizeof(float), cudaMemcpyDeviceToHost, stream);
  }
  for (const cudaStream_t stream : streams)
    if (status == cudaSuccess) status = cudaStreamSynchronize(stream);
  cudaHostUnregister(const_cast<float*>(signal));
  cudaHostUnregister(result);
  cudaFree(x);
  for (const cudaStream_t stream : streams) cudaStreamDestroy(stream);
  //@@ end solution
  return status;
}

// Called by the tests. Returns cudaSuccess, or the first error that a CUDA call reported; then too, nothing that was
// allocated here may stay allocated.
cudaError_t three_ways(const float* signal, const float* gains, float* copied, float* managed, float* streamed,
                       int* clipped, int n, int steps) {
  cudaError_t status = cudaSuccess;
  // The gains go to the device once, before the first way.
  //@@ begin solution
  status = cudaMemcpyToSymbol(gain_of_step, gains, steps * sizeof(float));
  //@@ end solution
  if (status == cudaSuccess) status = with_copies(signal, copied, n, steps);
  if (status == cudaSuccess) status = with_managed_memory(signal, managed, clipped, n, steps);
  if (status == cudaSuccess) status = with_streams(signal, streamed, n, steps);
  return status;
}
