// The runtime API: copies, errors and names as CUDA documents them, and a finding where a program misuses it.
#include <doctest/doctest.h>

#include <string>

#include "emulator.h"
#include "runtime/device_memory.h"

using namespace simtlab::emulator;

namespace {

/// The only finding since the last report; fails when there is none or another.
finding only_finding() {
  const report r = take_report();
  REQUIRE(r.findings.size() == 1);
  return r.findings[0];
}

}  // namespace

__global__ void fill(float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = 1.0f;
}

namespace {

template <int Times>
__global__ void add_often(float* out) {
  for (int i = 0; i < Times; ++i) out[threadIdx.x] += 1.0f;
}

struct table_of_kernels {
  void (*second)(float*);
};

}  // namespace

TEST_CASE("a kernel that is launched by a pointer has its own name in the report") {
  static_cast<void>(take_report());
  device_memory<float> out(32);
  const auto chosen = fill;
  const table_of_kernels table{add_often<2>};
  chosen<<<1, 32>>>(out.get(), 32);
  (*table.second)<<<1, 32>>>(out.get());
  fill<<<1, 32>>>(out.get(), 32);
  add_often<1 + 2><<<1, 32>>>(out.get());
  const report r = take_report();
  REQUIRE(r.launches.size() == 4);
  CHECK(r.launches[0].kernel == "fill");
  CHECK(r.launches[1].kernel == "add_often<2>");
  CHECK(r.launches[2].kernel == "fill");
  CHECK(r.launches[3].kernel == "add_often<3>");
}

TEST_CASE("a copy there and back is the same") {
  device_memory<double> memory(std::vector<double>{1.5, 2.5, 3.5});
  CHECK(memory.host() == std::vector<double>{1.5, 2.5, 3.5});
}

TEST_CASE("pitched rows start at multiples of the pitch and copy by rows") {
  float* data = nullptr;
  std::size_t pitch = 0;
  REQUIRE(cudaMallocPitch(&data, &pitch, 5 * sizeof(float), 3) == cudaSuccess);
  CHECK(pitch % 128 == 0);
  const std::vector<float> rows{0, 1, 2, 3, 4, 10, 11, 12, 13, 14, 20, 21, 22, 23, 24};
  REQUIRE(cudaMemcpy2D(data, pitch, rows.data(), 20, 20, 3, cudaMemcpyHostToDevice) == cudaSuccess);
  std::vector<float> back(15);
  REQUIRE(cudaMemcpy2D(back.data(), 20, data, pitch, 20, 3, cudaMemcpyDeviceToHost) == cudaSuccess);
  CHECK(back == rows);
  cudaFree(data);
}

TEST_CASE("cudaGetLastError gives a failed launch's error once") {
  static_cast<void>(take_report());
  device_memory<float> out(32);
  fill<<<1, 2048>>>(out.get(), 32);
  CHECK(cudaPeekAtLastError() == cudaErrorInvalidConfiguration);
  CHECK(cudaGetLastError() == cudaErrorInvalidConfiguration);
  CHECK(cudaGetLastError() == cudaSuccess);
  CHECK(std::string(cudaGetErrorName(cudaErrorInvalidConfiguration)) == "cudaErrorInvalidConfiguration");
  CHECK(std::string(cudaGetErrorString(cudaErrorMemoryAllocation)) == "out of memory");
}

TEST_CASE("a launch that failed and was never asked about is a finding that says why it failed") {
  static_cast<void>(take_report());
  device_memory<float> out(32);
  fill<<<0, 32>>>(out.get(), 32);
  const finding f = only_finding();
  CHECK(f.what == rule::unchecked_error);
  CHECK(f.message.find("the grid (0, 1, 1) has no block") != std::string::npos);
  static_cast<void>(cudaGetLastError());
}

TEST_CASE("a copy longer than its device memory is refused, with both sizes") {
  device_memory<float> memory(10);
  static_cast<void>(take_report());
  std::vector<float> host(20);
  CHECK(cudaMemcpy(memory.get(), host.data(), 80, cudaMemcpyHostToDevice) == cudaErrorInvalidValue);
  const finding f = only_finding();
  CHECK(f.what == rule::out_of_bounds);
  CHECK(f.message.find("has 40 bytes") != std::string::npos);
  CHECK(f.message.find("80 bytes") != std::string::npos);
  static_cast<void>(cudaGetLastError());
}

TEST_CASE("swapped pointers of a copy are told apart") {
  device_memory<float> memory(10);
  static_cast<void>(take_report());
  std::vector<float> host(10);
  CHECK(cudaMemcpy(host.data(), memory.get(), 40, cudaMemcpyHostToDevice) == cudaErrorInvalidValue);
  CHECK(only_finding().message.find("the direction given is cudaMemcpyHostToDevice, but the destination, which comes "
                                    "first, is a host pointer and the source a device pointer: write "
                                    "cudaMemcpyDeviceToHost.") != std::string::npos);
  static_cast<void>(cudaGetLastError());
}

TEST_CASE("a symbol that is none is refused, with the way to name one") {
  const float from = 1;
  CHECK(cudaMemcpyToSymbol("weights", &from, sizeof from) == cudaErrorInvalidSymbol);
  CHECK(only_finding().message.find("cudaMemcpyToSymbol: the symbol is no variable of the device") !=
        std::string::npos);
  static_cast<void>(cudaGetLastError());
}

TEST_CASE("a second free and a free of what cudaMalloc never returned are found") {
  float* p = nullptr;
  cudaMalloc(&p, 64);
  CHECK(cudaFree(p) == cudaSuccess);
  static_cast<void>(take_report());
  CHECK(cudaFree(p) == cudaErrorInvalidValue);
  CHECK(only_finding().what == rule::invalid_free);
  float on_host = 0;
  CHECK(cudaFree(&on_host) == cudaErrorInvalidValue);
  CHECK(only_finding().what == rule::invalid_free);
  CHECK(cudaFree(nullptr) == cudaSuccess);
  static_cast<void>(cudaGetLastError());
}

TEST_CASE("memory that is never freed is a leak of its bytes, told at its cudaMalloc") {
  static_cast<void>(take_report(true));
  float* p = nullptr;
  cudaMalloc(&p, 1000);
  const report r = take_report(true);
  CHECK(r.host.leaked_bytes == 1000);
  REQUIRE(r.findings.size() == 1);
  CHECK(r.findings[0].what == rule::leak);
  CHECK(r.findings[0].first.where.line > 0);
  cudaFree(p);
}

TEST_CASE("the account of copies tells redundant bytes from needed ones") {
  static_cast<void>(take_report());
  const std::vector<int> host(100, 7);
  int* p = nullptr;
  cudaMalloc(&p, 400);
  cudaMemcpy(p, host.data(), 400, cudaMemcpyHostToDevice);
  cudaMemcpy(p, host.data(), 400, cudaMemcpyHostToDevice);
  cudaFree(p);
  const host_report r = take_report().host;
  CHECK(r.copies_to_device == 2);
  CHECK(r.bytes_to_device == 800);
  CHECK(r.redundant_bytes == 400);
  CHECK(r.allocations == 1);
  CHECK(r.frees == 1);
}

TEST_CASE("an injected failure hits the call it was asked for and no other") {
  options failing;
  failing.fail_api_call = 2;
  configure(failing);
  float *a = nullptr, *b = nullptr, *c = nullptr;
  CHECK(cudaMalloc(&a, 64) == cudaSuccess);
  CHECK(cudaMalloc(&b, 64) == cudaErrorMemoryAllocation);
  CHECK(cudaMalloc(&c, 64) == cudaSuccess);
  CHECK(take_report().host.injected_error == cudaErrorMemoryAllocation);
  configure({});
  cudaFree(a);
  cudaFree(c);
  static_cast<void>(cudaGetLastError());
}

TEST_CASE("memory is called after the host memory it was copied from, else after the kernel's parameter") {
  static_cast<void>(take_report());
  const std::vector<float> host(32, 1.0f);
  name_memory(host.data(), 128, "samples");
  float *named = nullptr, *unnamed = nullptr;
  cudaMalloc(&named, 128);
  cudaMalloc(&unnamed, 128);
  cudaMemcpy(named, host.data(), 128, cudaMemcpyHostToDevice);
  fill<<<1, 32>>>(named, 32);
  fill<<<1, 32>>>(unnamed, 32);
  const report r = take_report();
  REQUIRE(r.launches.size() == 2);
  CHECK(r.launches[0].accesses.at(0).variable == "samples");
  CHECK(r.launches[1].accesses.at(0).variable == "out");
  cudaFree(named);
  cudaFree(unnamed);
}

TEST_CASE("arguments of a launch convert to the parameters' types") {
  device_memory<float> out(8, 0.0f);
  fill<<<1, 8>>>(out.get(), 4.9);
  CHECK(out.host() == std::vector<float>{1, 1, 1, 1, 0, 0, 0, 0});
}

TEST_CASE("dynamic shared memory beyond 48 KiB needs cudaFuncSetAttribute") {
  device_memory<float> out(8, 0.0f);
  fill<<<1, 8, 100 * 1024>>>(out.get(), 8);
  CHECK(cudaGetLastError() == cudaErrorInvalidValue);
  REQUIRE(cudaFuncSetAttribute(fill, cudaFuncAttributeMaxDynamicSharedMemorySize, 100 * 1024) == cudaSuccess);
  fill<<<1, 8, 100 * 1024>>>(out.get(), 8);
  CHECK(cudaGetLastError() == cudaSuccess);
}

TEST_CASE("events tell time and streams are accepted") {
  cudaEvent_t begin, end;
  cudaStream_t stream;
  REQUIRE(cudaEventCreate(&begin) == cudaSuccess);
  REQUIRE(cudaEventCreate(&end) == cudaSuccess);
  REQUIRE(cudaStreamCreate(&stream) == cudaSuccess);
  device_memory<float> out(8, 0.0f);
  cudaEventRecord(begin, stream);
  fill<<<1, 8, 0, stream>>>(out.get(), 8);
  cudaEventRecord(end, stream);
  cudaEventSynchronize(end);
  float milliseconds = -1.0f;
  REQUIRE(cudaEventElapsedTime(&milliseconds, begin, end) == cudaSuccess);
  CHECK(milliseconds >= 0.0f);
  cudaEventDestroy(begin);
  cudaEventDestroy(end);
  cudaStreamDestroy(stream);
}
