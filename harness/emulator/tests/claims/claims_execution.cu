// What the lectures state of execution: barriers, races, atomics, constant memory, shuffles.
#include <doctest/doctest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>

#include "claims/device_array.h"
#include "claims/lecture.h"
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
  LECTURE_SAYS("divergent barriers reported", 1, found.size());
  REQUIRE(found.size() == 1);
  CHECK(found[0].level == severity::error);
  LECTURE_SAYS("both places are named", true,
               is_between(found[0], marked_line(__FILE__, "part of the block waits here"),
                          marked_line(__FILE__, "the rest waits here")));
  LECTURE_SAYS("100 threads that came and 156 that did not are named", true,
               mentions(found[0], "100") && mentions(found[0], "156"));
}

TEST_CASE("claim 18: threads that exit before a barrier others wait at are an error, or what the lab makes of it") {
  device_array<float> out("out", 256);
  const auto expected = [&](severity level) {
    const auto found =
        measurement([&] { return_before_barrier<<<1, 256>>>(out.data(), 200); }).findings(rule::exited_before_barrier);
    REQUIRE(found.size() == 1);
    LECTURE_SAYS(level == severity::error ? "an error by default" : "a warning where the lab says so", true,
                 found[0].level == level);
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

namespace {

__global__ void read_first(const float* from, float* to) {
  to[threadIdx.x] = from[0];  //@ reads where the pointer leads
}

/// Whether a process of its own ends in order after `work`.
template <class Work>
bool ends_in_order(Work work) {
  const pid_t child = fork();
  if (child == 0) {
    for (const int signal_number : {SIGSEGV, SIGBUS}) std::signal(signal_number, SIG_DFL);
    work();
    _exit(0);
  }
  int status = 0;
  REQUIRE(waitpid(child, &status, 0) == child);
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

}  // namespace

TEST_CASE("claim 19: a kernel that follows a host pointer, and a host that follows a device pointer, get no answer") {
  device_array<float> on_the_device("on_the_device", 32, 7.0f);
  const auto read_by_the_host = [&] {
    const volatile float* const pointer = on_the_device.data();
    if (pointer[0] != 7.0f) _exit(1);
  };
  LECTURE_SAYS("the host gets the value behind a device pointer", false, ends_in_order(read_by_the_host));

  const std::vector<float> of_the_host(32, 3.0f);
  std::vector<float> answer(32);
  const measurement measured([&] { read_first<<<1, 32>>>(of_the_host.data(), on_the_device.data()); });
  const auto bytes = answer.size() * sizeof(float);
  const cudaError_t copied = cudaMemcpy(answer.data(), on_the_device.data(), bytes, cudaMemcpyDeviceToHost);
  expect_success(cudaDeviceReset());
  LECTURE_SAYS("a host pointer in a kernel is reported", true, !measured.silent());
  REQUIRE_FALSE(measured.silent());
  CHECK(measured.whole().findings[0].first.where.line == marked_line(__FILE__, "reads where the pointer leads"));
  LECTURE_SAYS("the kernel gets the value behind it", false, copied == cudaSuccess || answer[0] == 3.0f);
}

namespace {

constexpr int reduced = 256;

// Neighbouring threads work on elements that lie further and further apart.
__global__ void sum_interleaved(float* sum) {
  __shared__ float values[reduced];
  const unsigned t = threadIdx.x;
  values[t] = 1.0f;
  __syncthreads();
  for (unsigned stride = 1; stride < reduced; stride *= 2) {
    if (t % (2 * stride) == 0) values[t] += values[t + stride];
    __syncthreads();
  }
  if (t == 0) *sum = values[0];
}

// The threads that work are the first ones: whole warps go on, whole warps are done.
__global__ void sum_contiguous(float* sum) {
  __shared__ float values[reduced];
  const unsigned t = threadIdx.x;
  values[t] = 1.0f;
  __syncthreads();
  for (unsigned stride = reduced / 2; stride > 0; stride /= 2) {
    if (t < stride) values[t] += values[t + stride];
    __syncthreads();
  }
  if (t == 0) *sum = values[0];
}

request_counters reads_of_reduction(void (*kernel)(float*)) {
  device_array<float> sum("sum", 1);
  const measurement measured([&] { kernel<<<1, reduced>>>(sum.data()); });
  CHECK(measured.silent());
  CHECK(sum.contents()[0] == reduced);
  return measured.shared_reads_of("values");
}

double lanes_per_request(const request_counters& n) {
  return static_cast<double>(n.lanes) / static_cast<double>(n.requests);
}

}  // namespace

TEST_CASE(
    "checklist: a reduction by contiguous threads makes fewer requests, with more active lanes, for the same sum") {
  const request_counters interleaved = reads_of_reduction(sum_interleaved);
  const request_counters contiguous = reads_of_reduction(sum_contiguous);
  // Two reads an addition, and one at the end, in both.
  constexpr double lanes = 2 * (reduced - 1) + 1;
  CHECK(interleaved.lanes == lanes);
  CHECK(contiguous.lanes == lanes);
  // Warps that add, step after step: 8 8 8 8 8 4 2 1, and 4 2 1 1 1 1 1 1.
  LECTURE_SAYS("interleaved: requests", 2 * 47 + 1, interleaved.requests);
  LECTURE_SAYS("contiguous: requests", 2 * 12 + 1, contiguous.requests);
  LECTURE_SAYS("interleaved: active lanes per request", lanes / 95, lanes_per_request(interleaved));
  LECTURE_SAYS("contiguous: active lanes per request", lanes / 25, lanes_per_request(contiguous));
}

TEST_CASE("claim 20: two unordered accesses to one location, at least one a plain write, are a race") {
  device_array<float> out("out", 64), values("values", 64, 1.0f);
  device_array<int> winner("winner", 1);

  const auto in_shared = measurement([&] { neighbours_in_shared_memory<<<1, 64>>>(out.data()); });
  LECTURE_SAYS("races in shared memory", 1, in_shared.findings(rule::shared_race).size());
  REQUIRE(in_shared.findings(rule::shared_race).size() == 1);
  const finding shared = in_shared.findings(rule::shared_race)[0];
  CHECK(shared.variable == "line");
  CHECK(is_between(shared, marked_line(__FILE__, "writes the shared line"),
                   marked_line(__FILE__, "reads the shared line")));

  const auto in_global = measurement([&] { neighbours_in_global_memory<<<1, 64>>>(values.data()); });
  LECTURE_SAYS("races in global memory", 1, in_global.findings(rule::global_race).size());
  REQUIRE(in_global.findings(rule::global_race).size() == 1);
  const finding global = in_global.findings(rule::global_race)[0];
  CHECK(global.variable == "values");
  CHECK(is_between(global, marked_line(__FILE__, "reads the neighbour"), marked_line(__FILE__, "writes its own")));

  const auto between_blocks = measurement([&] { last_block_wins<<<4, 32>>>(winner.data()); });
  LECTURE_SAYS("races between blocks", 1, between_blocks.findings(rule::global_race).size());
  REQUIRE(between_blocks.findings(rule::global_race).size() == 1);
  const finding blocks = between_blocks.findings(rule::global_race)[0];
  CHECK(blocks.variable == "winner");
  CHECK(is_between(blocks, marked_line(__FILE__, "every block writes"), marked_line(__FILE__, "every block writes")));

  LECTURE_SAYS("silent when a barrier orders them", true,
               measurement([&] { ordered_by_a_barrier<<<1, 64>>>(out.data()); }).silent());
}

TEST_CASE("claim 20: writers of one same value are a warning") {
  device_array<int> flag("flag", 1);
  const measurement measured([&] { everybody_raises_the_flag<<<2, 64>>>(flag.data()); });
  REQUIRE(measured.whole().findings.size() == 1);
  const finding& found = measured.whole().findings[0];
  CHECK(found.what == rule::same_value_race);
  LECTURE_SAYS("a warning", true, found.level == severity::warning);
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
  LECTURE_SAYS("atomic increments of 1,000 threads", 1000, counter.contents()[0]);

  const auto races = measurement([&] { count_plainly<<<10, 100>>>(counter.data()); }).findings(rule::global_race);
  LECTURE_SAYS("plain increments are a race", true, !races.empty());
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
  LECTURE_SAYS("all lanes one word: distinct words", 1, table_reads(0).distinct_words);
  CHECK(table_reads(1).requests == 1);
  LECTURE_SAYS("32 words: distinct words", 32, table_reads(1).distinct_words);
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
  LECTURE_SAYS("every lane has the source lane's value", 25, out.contents()[31]);

  const auto found =
      measurement([&] { read_lanes_that_left<<<1, 32>>>(in.data(), out.data()); }).findings(rule::inactive_lane);
  LECTURE_SAYS("reads of absent lanes reported", 1, found.size());
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
  const measurement in_global(
      [&] { histogram_in_global_memory<<<n / 256, 256>>>(values.data(), n, histogram.data()); });
  LECTURE_SAYS("4,096 elements: global atomics", n, global_atomics(in_global));
  const measurement privatised([&] { histogram_privatised<<<blocks, 256>>>(values.data(), n, histogram.data()); });
  LECTURE_SAYS("64 bins, 4 blocks: global atomics", bins * blocks, global_atomics(privatised));
  for (const unsigned count : histogram.contents()) CHECK(count == 2 * n / bins);
}
