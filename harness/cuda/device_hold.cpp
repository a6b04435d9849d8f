#include "cuda/device_hold.h"

#include <cuda_runtime.h>

#include "cuda/device_kernels.h"
#include "runner/cuda_check.h"

namespace simtlab {
namespace {
constexpr int threads_per_block = 512;  // divides what a multiprocessor holds on every GPU: 1024, 1536 or 2048
// On an H200's host a launch was seen to take 3 to 8 microseconds, depending on what else the host did.
constexpr double milliseconds = 0.050;
}  // namespace

device_hold::device_hold() {
  int device = 0, multiprocessors = 0, threads = 0, kilohertz = 0;
  SIMTLAB_CHECKED(cudaGetDevice(&device));
  SIMTLAB_CHECKED(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device));
  SIMTLAB_CHECKED(cudaDeviceGetAttribute(&threads, cudaDevAttrMaxThreadsPerMultiProcessor, device));
  SIMTLAB_CHECKED(cudaDeviceGetAttribute(&kilohertz, cudaDevAttrClockRate, device));
  blocks_ = static_cast<unsigned>(multiprocessors * (threads / threads_per_block));
  cycles_ = static_cast<long long>(milliseconds * kilohertz);
}

void device_hold::run() const { spin_on_device(blocks_, threads_per_block, cycles_); }

}  // namespace simtlab
