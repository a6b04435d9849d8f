// Kernels that act on what an atomic operation returns, or wait for other threads: every run of one schedule gives the same
// counters, however many workers are asked for; another schedule gives the same results and findings, and counts
// differently only where a thread looks for something in vain, or where the place it writes to was handed out in turn.
#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <tuple>

#include "claims/marked_line.h"
#include "emulator.h"
#include "runtime/device_memory.h"

using namespace simtlab::emulator;

constexpr int blocks = 12, threads = 64, n = blocks * threads;

__global__ void sum_by_last_block(const int* in, int* of_block, unsigned* tickets, int* sum) {
  __shared__ int total;
  __shared__ bool is_last;
  if (threadIdx.x == 0) total = 0;
  __syncthreads();
  atomicAdd(&total, in[blockIdx.x * blockDim.x + threadIdx.x]);
  __syncthreads();
  if (threadIdx.x == 0) {
    of_block[blockIdx.x] = total;
    __threadfence();
    is_last = atomicAdd(tickets, 1u) == gridDim.x - 1;
  }
  __syncthreads();
  if (is_last && threadIdx.x == 0) {
    __threadfence();
    int all = 0;
    for (unsigned b = 0; b < gridDim.x; ++b) all += of_block[b];
    *sum = all;
  }
}

__global__ void keep_odd(const int* in, int* kept, int* count) {
  const int value = in[blockIdx.x * blockDim.x + threadIdx.x];
  if (value % 2 != 0) kept[atomicAdd(count, 1)] = value;  //@ handed out
}

__global__ void add_under_lock(int* lock, int* total) {
  if (threadIdx.x == 0) {
    while (atomicCAS(lock, 0, 1) != 0)  //@ lock
      continue;
    __threadfence();
    *total += static_cast<int>(blockIdx.x);
    __threadfence();
    atomicExch(lock, 0);
  }
}

__global__ void one_after_the_other(volatile int* turn, int* log) {
  if (threadIdx.x == 0) {
    while (*turn != static_cast<int>(blockIdx.x))  //@ flag
      continue;
    __threadfence();
    log[blockIdx.x] = blockIdx.x == 0 ? 1 : log[blockIdx.x - 1] + 2;
    __threadfence();
    *turn = static_cast<int>(blockIdx.x) + 1;
  }
}

__global__ void raise(const int* in, int* highest) {
  int seen = 0;
  const int mine = in[blockIdx.x * blockDim.x + threadIdx.x];
  while (mine > seen) {
    const int before = atomicCAS(highest, seen, mine);  //@ raise
    if (before == seen) break;
    seen = before;
  }
}

/// A lock without fences orders nothing.
__global__ void add_without_fences(int* lock, int* total) {
  if (threadIdx.x == 0) {
    while (atomicCAS(lock, 0, 1) != 0)  //@ unfenced
      continue;
    *total += 1;
    atomicExch(lock, 0);
  }
}

namespace {

using identity = std::tuple<rule, source_line, source_line, std::string>;

struct outcome {
  std::vector<int> results;
  std::set<identity> findings;
  std::map<int, std::string> counters;  // of a line
};

void add(outcome& o, const std::vector<int>& more) { o.results.insert(o.results.end(), more.begin(), more.end()); }

outcome run_all(unsigned workers, const std::string& turns) {
  options wanted;
  wanted.workers = workers;
  wanted.turns = *schedule_from(turns);
  configure(wanted);
  static_cast<void>(take_report());
  outcome o;
  {
    std::vector<int> numbers(n);
    for (int i = 0; i < n; ++i) numbers[i] = i * 37 % 101;
    device_memory<int> in(numbers), of_block(blocks, 0), sum(1, 0), kept(n, 0), count(1, 0), lock(1, 0), total(1, 0),
        turn(1, 0), log(blocks, 0), highest(1, 0), unfenced(1, 0);
    device_memory<unsigned> tickets(1, 0);
    sum_by_last_block<<<blocks, threads>>>(in.get(), of_block.get(), tickets.get(), sum.get());
    keep_odd<<<blocks, threads>>>(in.get(), kept.get(), count.get());
    add_under_lock<<<blocks, threads>>>(lock.get(), total.get());
    one_after_the_other<<<blocks, threads>>>(turn.get(), log.get());
    raise<<<blocks, threads>>>(in.get(), highest.get());
    add_without_fences<<<blocks, threads>>>(lock.get(), unfenced.get());
    std::vector<int> odd = kept.host();
    std::sort(odd.begin(), odd.end());
    for (const auto& part : {sum.host(), odd, count.host(), total.host(), log.host(), highest.host()}) add(o, part);
  }
  const report r = take_report();
  configure({});
  for (const finding& f : r.findings)
    o.findings.insert(
        {f.what, std::min(f.first.where, f.second.where), std::max(f.first.where, f.second.where), f.variable});
  for (const launch_report& l : r.launches) {
    for (const access_counters& a : l.accesses) {
      const request_counters& c = a.counters;
      std::ostringstream text;
      text << static_cast<int>(a.kind) << ' ' << a.variable << ' ' << c.requests << ' ' << c.lanes << ' ' << c.bytes
           << ' ' << c.sectors << ' ' << c.lines << ' ' << c.wavefronts << ' ' << c.same_address_lanes << '\n';
      o.counters[a.where.line] += text.str();
    }
  }
  return o;
}

/// Lines that count how often a thread looked in vain, or that touch what was handed out in turn.
std::set<int> lines_of_turns() {
  std::set<int> lines;
  for (const char* marker : {"handed out", "lock", "flag", "raise", "unfenced"})
    lines.insert(claims::marked_line(__FILE__, marker));
  return lines;
}

}  // namespace

TEST_CASE("one schedule gives the same on every run, whatever the number of workers") {
  for (const char* turns : {"in-order", "reverse", "random:1", "random:2"}) {
    CAPTURE(turns);
    const outcome first = run_all(1, turns);
    for (const unsigned workers : {1u, 2u, 4u}) {
      CAPTURE(workers);
      const outcome again = run_all(workers, turns);
      CHECK(again.results == first.results);
      CHECK(again.findings == first.findings);
      CHECK(again.counters == first.counters);
    }
  }
}

TEST_CASE(
    "another schedule gives the same results and findings, and the same counters where no thread depends on turns") {
  const std::set<int> of_turns = lines_of_turns();
  const outcome first = run_all(1, "in-order");
  REQUIRE(first.findings.size() > 0);
  for (const char* turns : {"reverse", "random:1", "random:2", "random:3", "random:4", "random:5"}) {
    CAPTURE(turns);
    const outcome other = run_all(1, turns);
    CHECK(other.results == first.results);
    CHECK(other.findings == first.findings);
    REQUIRE(other.counters.size() == first.counters.size());
    for (const auto& [line, text] : first.counters) {
      CAPTURE(line);
      if (!of_turns.contains(line)) CHECK(other.counters.at(line) == text);
    }
  }
}
