// A kernel that cannot go on ends in a sentence at its line, the context is lost as on a GPU, and the program goes on.
#include <doctest/doctest.h>

#include <cassert>
#include <string>

#include "claims/marked_line.h"
#include "emulator.h"
#include "runtime/device_memory.h"

using namespace simtlab::emulator;

namespace {

int line(const char* marker) { return claims::marked_line(__FILE__, marker); }

/// Runs `work`, expects the error from the next synchronisation, and gives the finding of `what`.
template <class Work>
finding stopped_by(rule what, cudaError_t error, Work work) {
  static_cast<void>(take_report());
  work();
  CHECK(cudaDeviceSynchronize() == error);
  CHECK(cudaGetLastError() == error);
  const report r = take_report();
  cudaDeviceReset();
  for (const finding& f : r.findings)
    if (f.what == what) return f;
  FAIL("no finding of rule ", rule_name(what));
  return {};
}

std::uint64_t requests_at(const launch_report& launch, int line) {
  std::uint64_t sum = 0;
  for (const access_counters& a : launch.accesses) sum += a.where.line == line ? a.counters.requests : 0;
  return sum;
}

}  // namespace

__global__ void follow(int* p) { *p = 1; }  //@ follow

TEST_CASE("a null pointer") {
  const finding f = stopped_by(rule::invalid_address, cudaErrorIllegalAddress, [] { follow<<<1, 1>>>(nullptr); });
  CHECK(f.first.where.line == line("follow"));
  CHECK(f.first.has_thread);
}

TEST_CASE("memory that nothing can free any more, because a kernel was stopped, is no leak") {
  int* memory = nullptr;
  REQUIRE(cudaMalloc(&memory, 1000) == cudaSuccess);
  static_cast<void>(take_report());
  follow<<<1, 1>>>(nullptr);
  CHECK(cudaDeviceSynchronize() == cudaErrorIllegalAddress);
  CHECK(cudaFree(memory) == cudaErrorIllegalAddress);
  const report r = take_report(true);
  cudaDeviceReset();
  CHECK(r.host.leaked_bytes == 0);
  REQUIRE(r.findings.size() == 1);
  CHECK(r.findings[0].what == rule::invalid_address);
}

TEST_CASE("a host pointer in a kernel is refused although this process could read it") {
  int on_host = 5;
  const finding f =
      stopped_by(rule::device_access_to_host, cudaErrorIllegalAddress, [&] { follow<<<1, 1>>>(&on_host); });
  CHECK(f.first.where.line == line("follow"));
}

__global__ void read_three(const int* here, const int* nowhere, int* out) {
  const int first = here[0];
  const int second = *nowhere;  //@ nowhere
  const int third = here[1];    //@ never read
  *out = first + second + third;
}

TEST_CASE("what a thread would have read behind its fault is not counted") {
  static_cast<void>(take_report());
  int* memory = nullptr;
  cudaMalloc(&memory, 4 * sizeof(int));
  cudaMemset(memory, 0, 4 * sizeof(int));
  read_three<<<1, 1>>>(memory, memory, memory + 2);
  read_three<<<1, 1>>>(memory, nullptr, memory + 2);
  CHECK(cudaDeviceSynchronize() == cudaErrorIllegalAddress);
  const report r = take_report();
  cudaDeviceReset();
  REQUIRE(r.launches.size() == 2);
  CHECK(requests_at(r.launches[0], line("never read")) == 1);
  CHECK(requests_at(r.launches[1], line("never read")) == 0);
  CHECK(requests_at(r.launches[1], line("nowhere")) == 1);
}

__global__ void far_away(int* p, long long i) { p[i] = 1; }  //@ far away

TEST_CASE("an index that runs far off faults in the gap between allocations") {
  const finding f = stopped_by(rule::out_of_bounds, cudaErrorIllegalAddress, [] {
    int* p = nullptr;
    cudaMalloc(&p, 64);
    far_away<<<1, 1>>>(p, 100'000);
  });
  CHECK(f.first.where.line == line("far away"));
}

__device__ int* room;
__global__ void allocate(int n) {
  room = new int[n];  //@ allocates
  delete[] room;
}

TEST_CASE("an array of a negative size, where another has room") {
  const finding f = stopped_by(rule::invalid_address, cudaErrorIllegalAddress, [] { allocate<<<1, 1>>>(-1); });
  CHECK(f.first.where.line == line("allocates"));
  static_cast<void>(take_report());
  allocate<<<1, 1>>>(1000);
  CHECK(cudaDeviceSynchronize() == cudaSuccess);
  CHECK(take_report().findings.empty());
}

static int twice(int x) { return 2 * x; }
__device__ int three_times(int x) { return 3 * x; }
using function = int (*)(int);
__device__ function on_device = three_times;
__global__ void call(function f, int* out) {
  *out = f == nullptr ? on_device(*out) : f(*out);  //@ calls
}

TEST_CASE("a host function is called through no pointer, a device function is") {
  const auto called = [](function f) {
    int* out = nullptr;
    cudaMalloc(&out, sizeof(int));
    cudaMemset(out, 0, sizeof(int));
    call<<<1, 1>>>(f, out);
  };
  const finding f = stopped_by(rule::invalid_address, cudaErrorIllegalAddress, [&] { called(twice); });
  CHECK(f.first.where.line == line("calls"));
  static_cast<void>(take_report());
  called(nullptr);
  CHECK(cudaDeviceSynchronize() == cudaSuccess);
  cudaDeviceReset();
  CHECK(twice(2) == 4);
}

__global__ void endless(int* cells, int step) {
  for (int i = 0; i < 8; i += step) cells[i] = i;  //@ endless
}

TEST_CASE("a loop that does not end is stopped by the number of its events") {
  options watchful;
  watchful.events_per_thread = 100'000;
  configure(watchful);
  const finding f = stopped_by(rule::endless_loop, cudaErrorLaunchTimeout, [] {
    int* cells = nullptr;
    cudaMalloc(&cells, 32);
    endless<<<1, 1>>>(cells, 0);
  });
  configure({});
  CHECK(f.first.where.line == line("endless"));
}

__global__ void waits_for_a_flag(volatile int* flag) {
  if (blockIdx.x == 1)
    while (*flag == 0) {  //@ flag
    }
}

TEST_CASE("a thread that looks for what nobody stores is a deadlock, told with its place") {
  const finding f = stopped_by(rule::deadlock, cudaErrorLaunchTimeout, [] {
    int* flag = nullptr;
    cudaMalloc(&flag, 4);
    cudaMemset(flag, 0, 4);
    waits_for_a_flag<<<3, 1>>>(flag);
  });
  CHECK(f.first.where.line == line("flag"));
  CHECK(f.first.block.x == 1);
  CHECK(f.first.action.find("looks in vain") != std::string::npos);
}

__global__ void asserts(int n) { assert(n > static_cast<int>(threadIdx.x)); }  //@ asserts

TEST_CASE("an assertion that does not hold names its thread") {
  const finding f = stopped_by(rule::failed_assertion, cudaErrorAssert, [] { asserts<<<1, 32>>>(20); });
  CHECK(f.first.where.line == line("asserts"));
  CHECK(f.first.thread.x == 20);
}

__device__ int deep(int n, volatile int* sink) {
  volatile int frame[64];
  frame[n % 64] = n;
  const int below = deep(n + 1, sink);  //@ recursion
  *sink = frame[n % 64];
  return below + 1;
}
__global__ void recurse(int* out) { *out = deep(0, out); }

TEST_CASE("a recursion that does not end overflows the thread's stack, not the emulator's") {
  const finding f = stopped_by(rule::stack_overflow, cudaErrorLaunchFailure, [] {
    int* p = nullptr;
    cudaMalloc(&p, 4);
    recurse<<<1, 1>>>(p);
  });
  CHECK(f.first.where.line >= line("recursion") - 3);
  CHECK(f.first.where.line <= line("recursion"));
}

__global__ void waits_for_nobody(int* out) {
  if (threadIdx.x < 16) {
    out[threadIdx.x] = __shfl_sync(0xffffffffu, 1, 0);  //@ shuffle
  } else {
    __syncthreads();  //@ barrier
  }
}

TEST_CASE("a shuffle that waits for lanes that stand at a barrier is a deadlock, reported and ended") {
  const finding f = stopped_by(rule::warp_deadlock, cudaErrorLaunchTimeout, [] {
    int* p = nullptr;
    cudaMalloc(&p, 128);
    waits_for_nobody<<<1, 32>>>(p);
  });
  CHECK(f.first.where.line == line("shuffle"));
  CHECK(f.second.where.line == line("barrier"));
}

TEST_CASE("after a reset the device works again") {
  cudaDeviceReset();
  device_memory<int> one(1, 0);
  follow<<<1, 1>>>(one.get());
  CHECK(one.host()[0] == 1);
}
