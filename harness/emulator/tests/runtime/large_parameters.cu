// Structures by value as parameters, up to the 32,764 bytes that a kernel may have: each thread gets its copy, which is no
// access of the program's, however it is made.
#include <cuda_runtime.h>
#include <doctest/doctest.h>

#include "emulator.h"

template <int N>
struct table {
  int values[N];
};

template <int N>
__global__ void read(table<N> given, int* out) {
  out[threadIdx.x] = given.values[threadIdx.x % N] + given.values[N - 1];
}

__global__ void read_two(table<200> first, table<200> second, int* out, int from) {
  out[threadIdx.x] = first.values[from] - second.values[threadIdx.x];
}

template <int N>
bool is_right(int* device) {
  table<N> given;
  for (int i = 0; i < N; ++i) given.values[i] = i;
  read<N><<<1, 32>>>(given, device);
  read<<<1, 32>>>(given, device);  // the template's argument deduced
  int out[32];
  if (cudaMemcpy(out, device, sizeof out, cudaMemcpyDeviceToHost) != cudaSuccess) return false;
  for (int i = 0; i < 32; ++i)
    if (out[i] != i % N + N - 1) return false;
  return true;
}

TEST_CASE("parameters of all sizes arrive, whoever copies them") {
  int* device = nullptr;
  cudaMalloc(&device, 32 * sizeof(int));
  CHECK(is_right<1>(device));
  CHECK(is_right<60>(device));
  CHECK(is_right<64>(device));
  CHECK(is_right<65>(device));
  CHECK(is_right<71>(device));
  CHECK(is_right<1020>(device));
  CHECK(is_right<8188>(device));
  table<200> first{}, second{};
  first.values[7] = 5;
  read_two<<<1, 32>>>(first, second, device, 7);
  int out = 0;
  CHECK(cudaMemcpy(&out, device, sizeof out, cudaMemcpyDeviceToHost) == cudaSuccess);
  CHECK(out == 5);
  cudaFree(device);
  const simtlab::emulator::report told = simtlab::emulator::take_report(true);
  CHECK(told.findings.empty());
  for (const auto& launch : told.launches)
    for (const auto& access : launch.accesses)  // parameters are read where an index is not known, as constant memory
      CHECK(access.space == (access.kind == simtlab::emulator::access::read ? simtlab::emulator::memory_space::constant
                                                                            : simtlab::emulator::memory_space::global));
}
