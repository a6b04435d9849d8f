// What is recorded of a block's warps (observers/block_tracer.h), of real kernels: the same accesses that another recorder saw thread by
// thread, and, where the launch has one block, the same costs that the counters have.
#include <doctest/doctest.h>

#include <cuda_runtime.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <map>
#include <string>
#include <tuple>

#include "claims/device_array.h"
#include "emulator.h"

using namespace simtlab::emulator;
using namespace simtlab::emulator::claims;

namespace {

constexpr int threads = 100;

__global__ void sum(const float* in, float* out) {
  __shared__ float part[128];
  const unsigned t = threadIdx.x;
  part[t] = in[blockIdx.x * blockDim.x + t * 3 % threads];
  __syncthreads();
  for (unsigned half = 64; half > 0; half /= 2) {
    if (t < half && t + half < blockDim.x) part[t] += part[t + half];
    __syncthreads();
  }
  if (t < 32) {
    float mine = t < 16 ? part[2 * t] : 0;
    for (int distance = 16; distance > 0; distance /= 2) mine += __shfl_down_sync(0xffffffff, mine, distance);
    if (t == 0) atomicAdd(out, mine + part[0]);
  }
}

launch_report traced(int blocks, coordinates block, schedule turns) {
  device_array<float> in("in", blocks * threads), out("out", 1);
  options wanted;
  wanted.turns = turns;
  wanted.recorded_accesses = 1 << 20;
  wanted.traced_block = block;
  configure(wanted);
  static_cast<void>(take_report());
  sum<<<blocks, threads>>>(in.data(), out.data());
  static_cast<void>(cudaDeviceSynchronize());
  report all = take_report();
  configure({});
  REQUIRE(all.launches.size() == 1);
  REQUIRE(all.launches[0].trace);
  return all.launches[0];
}

std::map<int, int> lines_of(const block_trace& t, traced_action what) {
  std::map<int, int> times;
  for (const traced_warp& w : t.warps)
    for (const traced_event& e : w.events)
      if (t.places.at(e.place).what == what) ++times[t.places.at(e.place).where.line];
  return times;
}

}  // namespace

TEST_CASE("a trace has every access of every thread of its block, between the same barriers, under every schedule") {
  for (const schedule turns : {schedule{}, schedule{schedule::reverse, 0}, schedule{schedule::random, 5}})
    for (const unsigned block : {0U, 2U}) {
      const launch_report l = traced(3, {block, 0, 0}, turns);
      using where = std::tuple<std::uint64_t, std::uint32_t, int, std::string>;  // epoch, thread, line, variable
      std::map<where, int> recorded, drawn;
      for (const recorded_access& a : l.recorded)
        if (a.block == block) ++recorded[{a.epoch, a.thread, a.where.line, a.variable}];
      CHECK(l.trace->barriers_in_all == 8);
      REQUIRE(l.trace->warps.size() == 4);
      CHECK(l.trace->warps[3].lanes == 4);
      for (std::uint32_t n = 0; n < 4; ++n) {
        CHECK(l.trace->warps[n].events.size() == l.trace->warps[n].events_in_all);
        for (const traced_event& e : l.trace->warps[n].events) {
          const traced_place& p = l.trace->places.at(e.place);
          if (p.what != traced_action::request) continue;
          for (lane_mask rest = e.active; rest != 0; rest &= rest - 1)
            ++drawn[{e.epoch, n * 32 + static_cast<std::uint32_t>(std::countr_zero(rest)), p.where.line, p.variable}];
        }
      }
      CHECK(recorded.size() > 300);
      CHECK(drawn == recorded);
    }
}

TEST_CASE("of one block the costs of the events add up to the counters") {
  const launch_report l = traced(1, {0, 0, 0}, {});
  using where = std::tuple<int, memory_space, access, std::string>;
  std::map<where, std::uint64_t> counted, drawn;
  for (const access_counters& a : l.accesses)
    if (a.space == memory_space::global || a.space == memory_space::shared)
      counted[{a.where.line, a.space, a.kind, a.variable}] +=
          a.space == memory_space::global ? a.counters.sectors : a.counters.wavefronts;
  for (const traced_warp& w : l.trace->warps)
    for (const traced_event& e : w.events) {
      const traced_place& p = l.trace->places.at(e.place);
      if (p.what == traced_action::request && (p.space == memory_space::global || p.space == memory_space::shared))
        drawn[{p.where.line, p.space, p.kind, p.variable}] += e.cost;
    }
  CHECK(counted.size() > 5);
  CHECK(drawn == counted);
}

TEST_CASE("branches that a part of a warp takes, and its shuffles, stand in the warp's way") {
  const launch_report l = traced(1, {0, 0, 0}, {});
  CHECK(lines_of(*l.trace, traced_action::shuffle).size() == 1);
  CHECK(lines_of(*l.trace, traced_action::shuffle).begin()->second == 5);
  std::uint64_t divergent = 0;
  for (const auto& [line, times] : lines_of(*l.trace, traced_action::branch)) divergent += static_cast<unsigned>(times);
  CHECK(divergent == l.divergent_steps);
  CHECK(divergent > 0);
}

namespace {

__global__ void shift_left(float* data) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  data[i] = data[i + blockDim.x];
}

report of_shift(const options& wanted) {
  device_array<float> data("data", 5 * threads);
  configure(wanted);
  static_cast<void>(take_report());
  shift_left<<<4, threads>>>(data.data());
  static_cast<void>(cudaDeviceSynchronize());
  report all = take_report();
  configure({});
  return all;
}

const finding* race_between_blocks(const report& r) {
  for (const finding& f : r.findings)
    if (f.what == rule::global_race && (!f.first.has_thread || f.first.block != f.second.block)) return &f;
  return nullptr;
}

}  // namespace

TEST_CASE("a race between blocks names no thread, or two that touch one element where threads are asked for") {
  const report plain = of_shift({});
  const finding* const told = race_between_blocks(plain);
  REQUIRE(told != nullptr);
  CHECK_FALSE(told->first.has_thread);
  options wanted;
  wanted.names_racing_threads = true;
  const report named = of_shift(wanted);
  const finding* const f = race_between_blocks(named);
  REQUIRE(f != nullptr);
  REQUIRE(f->first.has_thread);
  REQUIRE(f->second.has_thread);
  const bool first_writes = f->first.action.starts_with("writes");
  const finding_place &writer = first_writes ? f->first : f->second, &reader = first_writes ? f->second : f->first;
  CHECK(writer.block.x == reader.block.x + 1);
  CHECK(writer.thread.x == reader.thread.x);
}

TEST_CASE("a later kernel is traced where it is named, in its first launch") {
  device_array<float> in("in", threads), out("out", 1), data("data", 5 * threads);
  options wanted;
  wanted.checks = false;
  wanted.traced_block = coordinates{1, 0, 0};
  wanted.traced_kernel = "shift_left";
  configure(wanted);
  static_cast<void>(take_report());
  sum<<<1, threads>>>(in.data(), out.data());
  shift_left<<<4, threads>>>(data.data());
  shift_left<<<4, threads>>>(data.data());
  static_cast<void>(cudaDeviceSynchronize());
  const report all = take_report();
  configure({});
  REQUIRE(all.launches.size() == 3);
  CHECK_FALSE(all.launches[0].trace);
  REQUIRE(all.launches[1].trace);
  CHECK(all.launches[1].trace->warps.size() == 4);
  CHECK_FALSE(all.launches[2].trace);
}

TEST_CASE("blocks of another shape run the same grid") {
  options wanted;
  wanted.checks = false;
  wanted.launch_block = extents{32, 2, 1};
  const report r = of_shift(wanted);
  REQUIRE(r.launches.size() == 1);
  CHECK(r.launches[0].block.x == 32);
  CHECK(r.launches[0].block.y == 2);
  CHECK(r.launches[0].grid.x == 4);
  std::uint64_t stores = 0;
  for (const access_counters& a : r.launches[0].accesses) stores += a.kind == access::write ? a.counters.lanes : 0;
  CHECK(stores == 4 * 64);
}
