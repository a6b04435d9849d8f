// What the lectures state of execution: barriers, races, atomics, constant memory, shuffles.
#include <doctest/doctest.h>

#include "claims/device_array.h"
#include "claims/marked_line.h"
#include "claims/measurement.h"

using namespace simtlab::emulator;
using namespace simtlab::emulator::claims;

namespace {

__global__ void barrier_in_a_branch(float* out) {
  if (threadIdx.x < 100) {
    __syncthreads();  //@ part of the block waits here
  }
  out[threadIdx.x] = 1.0f;
  __syncthreads();  //@ the rest waits here
}

__global__ void return_before_barrier(float* out, int n) {
  if (static_cast<int>(threadIdx.x) >= n) return;
  out[threadIdx.x] = 1.0f;
  __syncthreads();  //@ the others wait here
  out[threadIdx.x] += 1.0f;
}

bool mentions(const finding& f, std::string_view words) { return f.message.find(words) != std::string::npos; }

}  // namespace

TEST_CASE("claim 18: a barrier that part of the block skips is reported with both places and numbers, never hung") {
  device_array<float> out("out", 256);
  const auto found =
      measurement([&] { barrier_in_a_branch<<<1, 256>>>(out.data()); }).findings(rule::divergent_barrier);
  REQUIRE(found.size() == 1);
  CHECK(found[0].level == severity::error);
  CHECK(is_between(found[0], marked_line(__FILE__, "part of the block waits here"),
                   marked_line(__FILE__, "the rest waits here")));
  CHECK(mentions(found[0], "100"));
  CHECK(mentions(found[0], "156"));
}

TEST_CASE("claim 18: threads that exit before a barrier others wait at are an error, or what the lab makes of it") {
  device_array<float> out("out", 256);
  const auto expected = [&](severity level) {
    const auto found =
        measurement([&] { return_before_barrier<<<1, 256>>>(out.data(), 200); }).findings(rule::exited_before_barrier);
    REQUIRE(found.size() == 1);
    CHECK(found[0].level == level);
    CHECK(found[0].first.where.line == marked_line(__FILE__, "the others wait here"));
    CHECK(mentions(found[0], "200"));
    CHECK(mentions(found[0], "56"));
    CHECK(mentions(found[0], "Volta"));
    CHECK(out.contents()[0] == 2);
  };
  configure({});
  expected(severity::error);
  options lenient;
  lenient.severities[rule::exited_before_barrier] = severity::warning;
  configure(lenient);
  expected(severity::warning);
  configure({});
}

namespace {

__global__ void neighbours_in_shared_memory(float* out) {
  __shared__ float line[64];
  line[threadIdx.x] = 1.0f;                   //@ writes the shared line
  out[threadIdx.x] = line[63 - threadIdx.x];  //@ reads the shared line
}

__global__ void neighbours_in_global_memory(float* values) {
  const float next = values[(threadIdx.x + 1) % 64];  //@ reads the neighbour
  values[threadIdx.x] = next;                         //@ writes its own
}

__global__ void last_block_wins(int* winner) {
  if (threadIdx.x == 0) *winner = static_cast<int>(blockIdx.x);  //@ every block writes
}

__global__ void everybody_raises_the_flag(int* flag) {
  *flag = 1;  //@ all write one value
}

__global__ void ordered_by_a_barrier(float* out) {
  __shared__ float line[64];
  line[threadIdx.x] = 1.0f;
  __syncthreads();
  out[threadIdx.x] = line[63 - threadIdx.x];
}

}  // namespace

TEST_CASE("claim 20: two unordered accesses to one location, at least one a plain write, are a race") {
  device_array<float> out("out", 64), values("values", 64, 1.0f);
  device_array<int> winner("winner", 1);

  const auto in_shared = measurement([&] { neighbours_in_shared_memory<<<1, 64>>>(out.data()); });
  REQUIRE(in_shared.findings(rule::shared_race).size() == 1);
  const finding shared = in_shared.findings(rule::shared_race)[0];
  CHECK(shared.variable == "line");
  CHECK(is_between(shared, marked_line(__FILE__, "writes the shared line"),
                   marked_line(__FILE__, "reads the shared line")));

  const auto in_global = measurement([&] { neighbours_in_global_memory<<<1, 64>>>(values.data()); });
  REQUIRE(in_global.findings(rule::global_race).size() == 1);
  const finding global = in_global.findings(rule::global_race)[0];
  CHECK(global.variable == "values");
  CHECK(is_between(global, marked_line(__FILE__, "reads the neighbour"), marked_line(__FILE__, "writes its own")));

  const auto between_blocks = measurement([&] { last_block_wins<<<4, 32>>>(winner.data()); });
  REQUIRE(between_blocks.findings(rule::global_race).size() == 1);
  const finding blocks = between_blocks.findings(rule::global_race)[0];
  CHECK(blocks.variable == "winner");
  CHECK(is_between(blocks, marked_line(__FILE__, "every block writes"), marked_line(__FILE__, "every block writes")));

  CHECK(measurement([&] { ordered_by_a_barrier<<<1, 64>>>(out.data()); }).silent());
}

TEST_CASE("claim 20: writers of one same value are a warning") {
  device_array<int> flag("flag", 1);
  const measurement measured([&] { everybody_raises_the_flag<<<2, 64>>>(flag.data()); });
  REQUIRE(measured.whole().findings.size() == 1);
  const finding& found = measured.whole().findings[0];
  CHECK(found.what == rule::same_value_race);
  CHECK(found.level == severity::warning);
  CHECK(found.variable == "flag");
  CHECK(found.first.where.line == marked_line(__FILE__, "all write one value"));
}

namespace {

__global__ void count_atomically(int* counter) { atomicAdd(counter, 1); }

__global__ void count_plainly(int* counter) {
  *counter = *counter + 1;  //@ plain increment
}

}  // namespace

TEST_CASE("claim 21: an atomic increment by every thread counts the threads; a plain one is a race") {
  device_array<int> counter("counter", 1);
  CHECK(measurement([&] { count_atomically<<<10, 100>>>(counter.data()); }).silent());
  CHECK(counter.contents()[0] == 1000);

  const auto races = measurement([&] { count_plainly<<<10, 100>>>(counter.data()); }).findings(rule::global_race);
  REQUIRE_FALSE(races.empty());
  const int line = marked_line(__FILE__, "plain increment");
  for (const finding& race : races) {
    CHECK(race.variable == "counter");
    CHECK(is_between(race, line, line));
  }
}

namespace {

__constant__ float table[64];

__global__ void read_table(float* out, int stride) { out[threadIdx.x] = table[threadIdx.x * stride]; }

request_counters table_reads(int stride) {
  std::vector<float> contents(64);
  for (int i = 0; i < 64; ++i) contents[i] = static_cast<float>(i);
  expect_success(cudaMemcpyToSymbol(table, contents.data(), sizeof table));
  device_array<float> out("out", 32);
  const measurement measured([&] { read_table<<<1, 32>>>(out.data(), stride); });
  CHECK(out.contents()[31] == static_cast<float>(31 * stride));
  return measured.of(memory_space::constant, access::read, "table");
}

}  // namespace

TEST_CASE("claim 22: a request to constant memory has 1 distinct word, or 32") {
  CHECK(table_reads(0).requests == 1);
  CHECK(table_reads(0).distinct_words == 1);
  CHECK(table_reads(1).requests == 1);
  CHECK(table_reads(1).distinct_words == 32);
}

namespace {

__global__ void broadcast(const int* in, int* out, int source) {
  const int value = in[threadIdx.x];
  out[threadIdx.x] = __shfl_sync(0xffffffffu, value, source);
}

__global__ void read_lanes_that_left(const int* in, int* out) {
  int value = in[threadIdx.x];
  if (threadIdx.x < 16) value += __shfl_down_sync(0x0000ffffu, value, 8);  //@ reads absent lanes
  out[threadIdx.x] = value;
}

}  // namespace

TEST_CASE("claim 23: a shuffle broadcast gives every lane the source lane's value; an absent lane is reported") {
  std::vector<int> squares(32);
  for (int i = 0; i < 32; ++i) squares[i] = i * i;
  device_array<int> in("in", squares), out("out", 32);
  CHECK(measurement([&] { broadcast<<<1, 32>>>(in.data(), out.data(), 5); }).silent());
  for (const int value : out.contents()) CHECK(value == 25);

  const auto found =
      measurement([&] { read_lanes_that_left<<<1, 32>>>(in.data(), out.data()); }).findings(rule::inactive_lane);
  REQUIRE(found.size() == 1);
  CHECK(found[0].first.where.line == marked_line(__FILE__, "reads absent lanes"));
}

namespace {

constexpr int bins = 64;

__global__ void histogram_in_global_memory(const unsigned char* values, int n, unsigned* histogram) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(&histogram[values[i] % bins], 1u);
}

__global__ void histogram_privatised(const unsigned char* values, int n, unsigned* histogram) {
  __shared__ unsigned own[bins];
  for (int b = threadIdx.x; b < bins; b += blockDim.x) own[b] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    atomicAdd(&own[values[i] % bins], 1u);
  }
  __syncthreads();
  for (int b = threadIdx.x; b < bins; b += blockDim.x) atomicAdd(&histogram[b], own[b]);
}

}  // namespace

TEST_CASE("claim 24: privatisation: global atomics fall from one per element to one per bin and block") {
  constexpr int n = 4096, blocks = 4;
  std::vector<unsigned char> contents(n);
  for (int i = 0; i < n; ++i) contents[i] = static_cast<unsigned char>(i * 7);
  device_array<unsigned char> values("values", contents);
  device_array<unsigned> histogram("histogram", bins);
  const auto global_atomics = [](const measurement& measured) {
    return measured.of(memory_space::global, access::atomic, "histogram").lanes;
  };
  CHECK(global_atomics(measurement(
            [&] { histogram_in_global_memory<<<n / 256, 256>>>(values.data(), n, histogram.data()); })) == n);
  CHECK(global_atomics(measurement(
            [&] { histogram_privatised<<<blocks, 256>>>(values.data(), n, histogram.data()); })) == bins * blocks);
  for (const unsigned count : histogram.contents()) CHECK(count == 2 * n / bins);
}
