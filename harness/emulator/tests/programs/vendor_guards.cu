// A helper header in the manner of the vendor's samples asks for the guards of the toolkit's headers.
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>

#ifdef __DRIVER_TYPES_H__
static const char* name_of(cudaError_t error) { return cudaGetErrorName(error); }
template <typename T>
void check(T result, char const* const call, const char* const file, int const line) {
  if (!result) return;
  std::printf("CUDA error %s in %s\n", name_of(result), call);
  std::exit(EXIT_FAILURE);
}
#define checkErrors(call) check((call), #call, __FILE__, __LINE__)
#endif

#ifdef __CUDA_RUNTIME_H__
inline int fastest_device() {
  int count = 0, best = -1, most = 0;
  checkErrors(cudaGetDeviceCount(&count));
  for (int device = 0; device < count; ++device) {
    int mode = -1, major = 0, minor = 0, multiprocessors = 0, clock = 0;
    checkErrors(cudaDeviceGetAttribute(&mode, cudaDevAttrComputeMode, device));
    checkErrors(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device));
    checkErrors(cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, device));
    if (mode == cudaComputeModeProhibited) continue;
    checkErrors(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device));
    checkErrors(cudaDeviceGetAttribute(&clock, cudaDevAttrClockRate, device));
    if (multiprocessors > most) best = device, most = multiprocessors;
  }
  return best;
}
#endif

#if !defined(__CUDA_RUNTIME_API_H__) || !defined(__VECTOR_TYPES_H__) || !defined(__DEVICE_LAUNCH_PARAMETERS_H__)
#error "the runtime's headers are not there"
#endif

int main() {
  checkErrors(cudaSetDevice(fastest_device()));
  std::printf("device %d\n", fastest_device());
}
