#include "plain/plain_runtime.h"

#include <cuda_runtime.h>

#include <chrono>
#include <cstdlib>
#include <cstring>
#include <map>
#include <string>
#include <utility>

namespace simtlab::plain {
namespace {
cudaError_t last_error = cudaSuccess;
std::map<void*, std::size_t>& live() {
  static std::map<void*, std::size_t> all;
  return all;
}

std::map<std::string, std::uint64_t>& recorded_writes() {
  static std::map<std::string, std::uint64_t> all;
  return all;
}

bool must_fail() {
  account& a = the_account();
  if (++a.calls != a.fail_call) return false;
  a.injected_error = cudaErrorMemoryAllocation;
  return true;
}
}  // namespace

account& the_account() {
  static account a;
  return a;
}
void record_write(const char* variable, std::uint64_t bytes) { recorded_writes()[variable] += bytes; }
std::uint64_t take_recorded_write(const char* variable) { return std::exchange(recorded_writes()[variable], 0); }
void set_last_error(cudaError_t e) { last_error = e; }

}  // namespace simtlab::plain

using namespace simtlab::plain;

cudaError_t cudaMalloc(void** pointer, std::size_t bytes) {
  if (must_fail()) return cudaErrorMemoryAllocation;
  *pointer = std::malloc(bytes);
  std::memset(*pointer, 0xff, bytes);
  live()[*pointer] = bytes;
  ++the_account().allocated;
  the_account().allocated_bytes += bytes;
  the_account().live_bytes += bytes;
  return cudaSuccess;
}

cudaError_t cudaFree(void* pointer) {
  const auto found = live().find(pointer);
  if (found == live().end()) return pointer == nullptr ? cudaSuccess : cudaErrorInvalidValue;
  the_account().live_bytes -= found->second;
  ++the_account().freed;
  live().erase(found);
  std::free(pointer);
  return cudaSuccess;
}

cudaError_t cudaMemGetInfo(std::size_t* free, std::size_t* total) {
  *free = *total = std::size_t{1} << 28;
  return cudaSuccess;
}

cudaError_t cudaMemcpy(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind) {
  if (must_fail()) return cudaErrorMemoryAllocation;
  std::memcpy(to, from, bytes);
  if (kind == cudaMemcpyHostToDevice) the_account().bytes_to_device += bytes;
  if (kind == cudaMemcpyDeviceToHost) the_account().bytes_to_host += bytes;
  return cudaSuccess;
}

cudaError_t cudaMemset(void* to, int value, std::size_t bytes) {
  std::memset(to, value, bytes);
  return cudaSuccess;
}

cudaError_t cudaGetLastError() {
  const cudaError_t e = last_error;
  last_error = cudaSuccess;
  return e;
}

cudaError_t cudaDeviceSynchronize() { return cudaSuccess; }
const char* cudaGetErrorName(cudaError_t e) {
  return e == cudaErrorInvalidConfiguration ? "cudaErrorInvalidConfiguration"
         : e == cudaErrorMemoryAllocation   ? "cudaErrorMemoryAllocation"
         : e == cudaErrorIllegalAddress     ? "cudaErrorIllegalAddress"
                                            : "cudaErrorOther";
}
const char* cudaGetErrorString(cudaError_t e) {
  return e == cudaErrorInvalidConfiguration ? "invalid configuration argument"
         : e == cudaErrorMemoryAllocation   ? "out of memory"
         : e == cudaErrorIllegalAddress     ? "an illegal memory access was encountered"
                                            : "some other error";
}

cudaError_t cudaEventCreate(cudaEvent_t* e) {
  *e = new double(0);
  return cudaSuccess;
}
cudaError_t cudaEventDestroy(cudaEvent_t e) {
  delete e;
  return cudaSuccess;
}
cudaError_t cudaEventRecord(cudaEvent_t e) {
  using ms = std::chrono::duration<double, std::milli>;
  *e = std::chrono::duration_cast<ms>(std::chrono::steady_clock::now().time_since_epoch()).count();
  return cudaSuccess;
}
cudaError_t cudaEventSynchronize(cudaEvent_t) { return cudaSuccess; }
cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t begin, cudaEvent_t end) {
  *milliseconds = static_cast<float>(*end - *begin);
  return cudaSuccess;
}
