// What the emulator counts of copies in streams and of pages that move, by the model of docs/unified-memory.md.
#include <doctest/doctest.h>

#include <cstddef>
#include <vector>

#include <cuda_runtime.h>

#include "emulator.h"

using namespace simtlab::emulator;

namespace {

constexpr int n = 65536, page = 65536;
constexpr std::size_t bytes = n * sizeof(float);  // four pages

__global__ void twice(float* x, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) x[i] *= 2;
}

/// The array goes to the device, is worked on and comes back, piece after piece, in turn by so many streams.
host_report copied_in_pieces(int pieces, int streams, bool is_page_locked) {
  (void)take_report(false);
  std::vector<float> values(n, 1);
  std::vector<cudaStream_t> all(streams);
  for (cudaStream_t& s : all) REQUIRE(cudaStreamCreate(&s) == cudaSuccess);
  float* x = nullptr;
  REQUIRE(cudaMalloc(&x, bytes) == cudaSuccess);
  if (is_page_locked) REQUIRE(cudaHostRegister(values.data(), bytes, cudaHostRegisterDefault) == cudaSuccess);
  const int piece = n / pieces;
  for (int p = 0; p < pieces; ++p) {
    const cudaStream_t stream = all[p % streams];
    float *const on_host = &values[p * piece], *const on_device = x + p * piece;
    cudaMemcpyAsync(on_device, on_host, piece * sizeof(float), cudaMemcpyHostToDevice, stream);
    twice<<<piece / 256, 256, 0, stream>>>(on_device, piece);
    cudaMemcpyAsync(on_host, on_device, piece * sizeof(float), cudaMemcpyDeviceToHost, stream);
  }
  cudaDeviceSynchronize();
  CHECK(values[n - 1] == 2);
  if (is_page_locked) cudaHostUnregister(values.data());
  cudaFree(x);
  for (const cudaStream_t s : all) cudaStreamDestroy(s);
  return take_report(false).host;
}

}  // namespace

TEST_CASE("copies overlap in several streams of page-locked memory, and not otherwise") {
  const host_report overlapping = copied_in_pieces(8, 3, true);
  CHECK(overlapping.stream_copy_bytes == 2 * bytes);
  CHECK(overlapping.overlapped_copy_bytes == 2 * bytes / 8 * 7);  // but for the first copy in and the last one out
  CHECK(copied_in_pieces(2, 2, true).overlapped_copy_bytes == 2 * bytes / 2);
  CHECK(copied_in_pieces(8, 1, true).overlapped_copy_bytes == 0);
  CHECK(copied_in_pieces(8, 3, false).overlapped_copy_bytes == 0);
}

TEST_CASE("the timeline has each copy and launch in its stream, none before its engine is free") {
  const host_report pieces = copied_in_pieces(4, 2, true);
  REQUIRE(pieces.timeline.size() == 12);
  for (std::size_t i = 0; i < 12; ++i) {
    CHECK(pieces.timeline[i].kind == static_cast<timed_operation_kind>(i % 3));
    CHECK(pieces.timeline[i].stream != 0);
    CHECK(pieces.timeline[i].end > pieces.timeline[i].begin);
    if (i >= 3) CHECK(pieces.timeline[i].begin >= pieces.timeline[i - 3].end);
  }
  CHECK(pieces.timeline[0].stream == pieces.timeline[6].stream);
  CHECK(pieces.timeline[0].stream != pieces.timeline[3].stream);
}

TEST_CASE("pages move when the other side touches them, and prefetches count twice") {
  (void)take_report(false);
  float* x = nullptr;
  REQUIRE(cudaMallocManaged(&x, bytes) == cudaSuccess);
  for (int i = 0; i < n; ++i) x[i] = 1;   // the first touch moves nothing
  twice<<<n / 2 / 256, 256>>>(x, n / 2);  // two pages
  cudaMemPrefetchAsync(x, bytes, 0);      // the other two
  cudaDeviceSynchronize();
  CHECK(x[0] + x[page / 4] == 4);                                                  // two pages back
  cudaMemPrefetchAsync(x, bytes, cudaMemLocation{cudaMemLocationTypeHost, 0}, 0);  // the other two
  cudaDeviceSynchronize();
  cudaFree(x);
  const host_report host = take_report(false).host;
  CHECK(host.pages_to_device == 4);
  CHECK(host.pages_to_host == 4);
  CHECK(host.prefetched_pages == 4);
}

TEST_CASE("a program without managed memory and streams has none of these figures") {
  (void)take_report(false);
  float* x = nullptr;
  REQUIRE(cudaMalloc(&x, bytes) == cudaSuccess);
  std::vector<float> values(n, 1);
  cudaMemcpy(x, values.data(), bytes, cudaMemcpyHostToDevice);
  twice<<<n / 256, 256>>>(x, n);
  cudaMemcpy(values.data(), x, bytes, cudaMemcpyDeviceToHost);
  cudaFree(x);
  const host_report host = take_report(false).host;
  CHECK(host.pages_to_device + host.pages_to_host + host.prefetched_pages == 0);
  CHECK(host.stream_copy_bytes + host.overlapped_copy_bytes == 0);
  CHECK(host.timeline.size() == 3);
}

TEST_CASE("a copy is told with its line, and with what it touches on either side") {
  const host_report pieces = copied_in_pieces(4, 2, true);
  REQUIRE(pieces.timeline.size() == 12);
  const timed_copy &in = pieces.timeline[3].copy, &out = pieces.timeline[5].copy;
  CHECK(in.where.line + 2 == out.where.line);
  CHECK(in.on_device.bytes == bytes);
  CHECK(in.on_device.offset == bytes / 4);
  CHECK(in.on_host.bytes == 0);  // of an array that has no name
  CHECK(out.is_page_locked);
  CHECK(pieces.timeline[4].copy.where.line == 0);                  // a launch
  CHECK(pieces.timeline[11].issued == pieces.timeline[0].issued);  // the host waits for nothing in between
  CHECK_FALSE(copied_in_pieces(4, 2, false).timeline[2].copy.is_page_locked);
}

TEST_CASE("registered memory that a copy may still be writing is not for the host to read") {
  for (const bool waits : {false, true}) {
    (void)take_report(false);
    std::vector<float> values(256, 1);
    float *const at = values.data(), *x = nullptr;
    REQUIRE(cudaMalloc(&x, 1024) == cudaSuccess);
    REQUIRE(cudaHostRegister(at, 1024, cudaHostRegisterDefault) == cudaSuccess);
    cudaMemcpy(x, at, 1024, cudaMemcpyHostToDevice);
    twice<<<1, 256>>>(x, 256);
    cudaMemcpyAsync(at, x, 1024, cudaMemcpyDeviceToHost, 0);
    if (waits) cudaStreamSynchronize(0);
    CHECK(at[7] == 2);
    cudaDeviceSynchronize();
    cudaHostUnregister(at);
    cudaFree(x);
    const report told = take_report(false);
    CHECK(told.findings.empty() == waits);
    if (!waits && !told.findings.empty()) CHECK(told.findings[0].what == rule::unsynchronised_host_access);
  }
}

TEST_CASE("memory that was handed over is not to be handed back while a copy into it may be under way") {
  for (const bool waits : {false, true}) {
    (void)take_report(false);
    static float values[256];
    float *const at = values, *x = nullptr;
    name_memory(at, 1024, "values");
    REQUIRE(cudaMalloc(&x, 1024) == cudaSuccess);
    REQUIRE(cudaMemset(x, 0, 1024) == cudaSuccess);
    REQUIRE(cudaHostRegister(at, 1024, cudaHostRegisterDefault) == cudaSuccess);
    cudaMemcpyAsync(at, x, 1024, cudaMemcpyDeviceToHost, 0);
    if (waits) cudaStreamSynchronize(0);
    cudaHostUnregister(at);
    cudaFreeAsync(x, 0);
    const report told = take_report(true);
    cudaDeviceSynchronize();
    REQUIRE(told.findings.size() == (waits ? 0 : 1));
    if (waits) continue;
    CHECK(told.findings[0].what == rule::unsynchronised_host_access);
    CHECK(told.findings[0].variable == "values");
    CHECK(told.host.timeline.back().copy.on_host.array == "values");
  }
}
