// Asynchronous copies to shared memory: what uses their bytes before the wait is found, with both lines and the wait that is missing;
// right pipelines are let be.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cuda_pipeline.h>
#include <doctest/doctest.h>
#include <cuda/barrier>
#include <cuda/pipeline>

#include <string>
#include <vector>

#include "claims/marked_line.h"
#include "claims/measurement.h"
#include "emulator.h"
#include "runtime/device_memory.h"

using namespace simtlab::emulator;
namespace cg = cooperative_groups;

namespace {

constexpr int threads = 64, stages = 4;
int line(const char* marker) { return claims::marked_line(__FILE__, marker); }
bool has(const std::string& text, const std::string& what) { return text.find(what) != std::string::npos; }

std::vector<int> numbers() {
  std::vector<int> all(threads * stages);
  for (int i = 0; i < threads * stages; ++i) all[i] = 3 * i + 1;
  return all;
}

/// The kernel reads stages of 64 numbers and writes 64.
struct run_of {
  template <class Kernel>
  explicit run_of(Kernel* kernel, int parameter = 0)
      : measured([&] { kernel<<<1, threads>>>(in.get(), out.get(), parameter); }) {}
  /// The only finding, which is a race of `tile`.
  [[nodiscard]] finding race() const {
    REQUIRE(measured.findings(rule::shared_race).size() == 1);
    CHECK(measured.findings(rule::shared_race)[0].variable == "tile");
    return measured.findings(rule::shared_race)[0];
  }
  [[nodiscard]] bool is_clean() const { return measured.silent(); }

  device_memory<int> in{numbers()}, out{threads};
  claims::measurement measured;
};

/// What the marked lines are, and what the message says.
void check_race(const finding& f, const char* copy, const char* use, const char* words) {
  CAPTURE(f.message);
  CHECK(claims::is_between(f, line(copy), line(use)));
  CHECK(has(f.message, words));
}

}  // namespace

__global__ void double_buffered(const int* in, int* out, int prior) {
  __shared__ int tile[2][threads];
  const int t = threadIdx.x;
  __pipeline_memcpy_async(&tile[0][t], &in[t], sizeof(int));
  __pipeline_commit();
  int sum = 0;
  for (int stage = 0; stage < stages; ++stage) {
    const int next = stage + 1, from = next * threads + t;
    if (next < stages) __pipeline_memcpy_async(&tile[next % 2][t], &in[from], 4);  //@ copy of the next stage
    __pipeline_commit();
    __pipeline_wait_prior(prior);
    __syncthreads();
    sum = 3 * sum + tile[stage % 2][threads - 1 - t];  //@ use of a stage
    __syncthreads();
  }
  out[t] = sum;
}

TEST_CASE("a pipeline of two buffers that waits for the older one is right") {
  const run_of r(double_buffered, 1);
  CHECK(r.is_clean());
  const std::vector<int> in = numbers();
  int sum = 0;
  for (int stage = 0; stage < stages; ++stage) sum = 3 * sum + in[stage * threads + threads - 1];
  CHECK(r.out.host()[0] == sum);
  CHECK(run_of(double_buffered, 0).is_clean());
}

TEST_CASE("a wait that leaves the copy's group open is named, with the number that waits for it") {
  const run_of r(double_buffered, 2);
  REQUIRE(!r.measured.findings(rule::shared_race).empty());
  bool found = false;
  for (const finding& f : r.measured.findings(rule::shared_race))
    if (claims::is_between(f, line("copy of the next stage"), line("use of a stage"))) {
      found = true;
      CHECK(has(f.message, "behind which 1 more were committed: __pipeline_wait_prior(1)"));
      CHECK(has(f.message, "Another thread's copy needs a barrier behind that wait, too"));
    }
  CHECK(found);
}

__global__ void without_wait(const int* in, int* out, int) {
  __shared__ int tile[threads];
  __pipeline_memcpy_async(&tile[threadIdx.x], &in[threadIdx.x], 4);  //@ copy without wait
  __pipeline_commit();
  out[threadIdx.x] = tile[threadIdx.x];  //@ use without wait
}
__global__ void without_commit(const int* in, int* out, int) {
  __shared__ int tile[threads];
  __pipeline_memcpy_async(&tile[threadIdx.x], &in[threadIdx.x], 4);  //@ copy without commit
  __pipeline_wait_prior(0);
  __syncthreads();
  out[threadIdx.x] = tile[threads - 1 - threadIdx.x];  //@ use without commit
}
__global__ void overwritten(const int* in, int* out, int) {
  __shared__ int tile[threads];
  __pipeline_memcpy_async(&tile[threadIdx.x], &in[threadIdx.x], 4);  //@ copy to be overwritten
  __pipeline_commit();
  tile[threadIdx.x] = 0;  //@ store too early
  __pipeline_wait_prior(0);
  out[threadIdx.x] = tile[threadIdx.x];
}

TEST_CASE("the thread's own use before the wait is a race with the copy") {
  check_race(run_of(without_wait).race(), "copy without wait", "use without wait",
             "Its thread has not waited for it: __pipeline_wait_prior(0) or cp.async.wait_group 0 comes first.");
  check_race(run_of(without_commit).race(), "copy without commit", "use without commit", "It belongs to no group yet");
  check_race(run_of(overwritten).race(), "copy to be overwritten", "store too early", "Its thread has not waited");
}

__global__ void wait_after_barrier(const int* in, int* out, int) {
  __shared__ int tile[threads];
  __pipeline_memcpy_async(&tile[threadIdx.x], &in[threadIdx.x], 4);  //@ copy whose wait comes late
  __pipeline_commit();
  __syncthreads();
  __pipeline_wait_prior(0);
  out[threadIdx.x] = tile[threads - 1 - threadIdx.x];  //@ use behind one's own wait
}

TEST_CASE("a wait holds for the thread's own copies: others' need a barrier behind it") {
  const run_of r(wait_after_barrier);
  REQUIRE(!r.measured.findings(rule::shared_race).empty());
  for (const finding& f : r.measured.findings(rule::shared_race))
    CHECK(claims::is_between(f, line("copy whose wait comes late"), line("use behind one's own wait")));
}

__global__ void by_instructions(const int* in, int* out, int waits) {
  __shared__ int tile[threads];
  const unsigned to = static_cast<unsigned>(__cvta_generic_to_shared(&tile[threadIdx.x]));
  asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(to), "l"(in + threadIdx.x));  //@ copy by instruction
  if (waits) asm volatile("cp.async.wait_all;");
  __syncthreads();
  out[threadIdx.x] = tile[threads - 1 - threadIdx.x];  //@ use of an instruction's copy
}

TEST_CASE("instructions are copies as well, and cp.async.wait_all needs no group") {
  CHECK(run_of(by_instructions, 1).is_clean());
  check_race(run_of(by_instructions, 0).race(), "copy by instruction", "use of an instruction's copy", "no group yet");
}

__global__ void by_group(const int* in, int* out, int waits) {
  __shared__ int tile[threads];
  const auto block = cg::this_thread_block();
  cg::memcpy_async(block, tile, in, sizeof tile);  //@ copy of a group
  if (waits)
    cg::wait(block);
  else
    block.sync();
  out[threadIdx.x] = tile[threads - 1 - threadIdx.x];  //@ use of a group's copy
}
__global__ void group_stages(const int* in, int* out, int) {
  __shared__ int tile[2][threads];
  const auto block = cg::this_thread_block();
  cg::memcpy_async(block, tile[0], in, sizeof tile[0]);
  int sum = 0;
  for (int stage = 0; stage < stages; ++stage) {
    if (stage + 1 < stages) {
      cg::memcpy_async(block, tile[(stage + 1) % 2], in + (stage + 1) * threads, sizeof tile[0]);
      cg::wait_prior<1>(block);
    } else {
      cg::wait(block);
    }
    sum += tile[stage % 2][threads - 1 - threadIdx.x];
    block.sync();
  }
  out[threadIdx.x] = sum;
}

TEST_CASE("a group's copies are complete behind wait, not behind sync") {
  CHECK(run_of(by_group, 1).is_clean());
  check_race(run_of(by_group, 0).race(), "copy of a group", "use of a group's copy", "has not waited");
  CHECK(run_of(group_stages).is_clean());
}

__global__ void by_own_pipeline(const int* in, int* out, int waits) {
  __shared__ int tile[2][threads];
  auto pipe = cuda::make_pipeline();
  for (int stage = 0; stage < 2; ++stage) {
    pipe.producer_acquire();
    const int from = stage * threads + threadIdx.x;
    cuda::memcpy_async(&tile[stage][threadIdx.x], &in[from], sizeof(int), pipe);  //@ copy of a stage
    pipe.producer_commit();
  }
  pipe.consumer_wait();
  int sum = tile[0][threadIdx.x];
  if (waits) pipe.consumer_wait();
  sum += tile[1][threadIdx.x];  //@ use of the second stage
  pipe.consumer_release();
  out[threadIdx.x] = sum;
}
__global__ void by_barrier(const int* in, int* out, int waits) {
  __shared__ cuda::barrier<cuda::thread_scope_block> bar;
  __shared__ int tile[threads];
  const auto block = cg::this_thread_block();
  if (threadIdx.x == 0) init(&bar, threads);
  block.sync();
  cuda::memcpy_async(block, tile, in, sizeof tile, bar);  //@ copy with a barrier
  if (waits)
    bar.arrive_and_wait();
  else
    __syncthreads();
  out[threadIdx.x] = tile[threads - 1 - threadIdx.x];  //@ use of the barrier's copy
}

TEST_CASE("cuda::pipeline and cuda::barrier: each stage has its wait, and no other barrier does") {
  CHECK(run_of(by_own_pipeline, 1).is_clean());
  check_race(run_of(by_own_pipeline, 0).race(), "copy of a stage", "use of the second stage",
             "behind which 0 more were committed: __pipeline_wait_prior(0)");
  CHECK(run_of(by_barrier, 1).is_clean());
  check_race(run_of(by_barrier, 0).race(), "copy with a barrier", "use of the barrier's copy", "keeps track of it");
}

__global__ void by_block_pipeline(const int* in, int* out, int waits) {
  __shared__ int tile[threads];
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
  auto pipe = cuda::make_pipeline(cg::this_thread_block(), &state);
  pipe.producer_acquire();
  cuda::memcpy_async(&tile[threadIdx.x], &in[threadIdx.x], 4, pipe);  //@ copy of a block's stage
  pipe.producer_commit();
  if (waits) pipe.consumer_wait();
  out[threadIdx.x] = tile[threads - 1 - threadIdx.x];  //@ use of a block's stage
  pipe.consumer_release();
}

TEST_CASE("a block's pipeline: a use without consumer_wait is a race with other threads' copies") {
  CHECK(run_of(by_block_pipeline, 1).is_clean());
  const finding f = run_of(by_block_pipeline, 0).race();
  CHECK(claims::is_between(f, line("copy of a block's stage"), line("use of a block's stage")));
}

__global__ void filled(const int* in, int* out, int) {
  __shared__ alignas(16) int tile[threads];
  if (threadIdx.x < threads / 4)
    __pipeline_memcpy_async(&tile[4 * threadIdx.x], &in[4 * threadIdx.x], 16, 4 * (threadIdx.x % 4));
  __pipeline_commit();
  __pipeline_wait_prior(0);
  __syncthreads();
  out[threadIdx.x] = tile[threadIdx.x];
}

TEST_CASE("zeros stand where a copy fills") {
  const run_of r(filled);
  CHECK(r.is_clean());
  std::vector<int> expected = numbers();
  expected.resize(threads);
  for (int i = 0; i < threads; ++i)
    if (i % 4 >= 4 - i / 4 % 4) expected[i] = 0;
  CHECK(r.out.host() == expected);
}
