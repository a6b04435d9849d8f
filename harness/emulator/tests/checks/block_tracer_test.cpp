#include "observers/block_tracer.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <bit>
#include <map>
#include <random>
#include <tuple>

#include "test_device.h"

namespace simtlab::emulator::testing {
namespace {

observer_options tracing(coordinates block, std::size_t recorded = 0) {
  observer_options wanted;
  wanted.checks = false;
  wanted.recorded_accesses = recorded;
  wanted.traced_block = block;
  return wanted;
}

void step(test_worker& w, warp_step s) {
  for (observer* o : w.set.observers())
    if (o->wants_divergent_steps() && s.active != s.together) o->divergent_step(s);
}

request_builder strided(site line, address at, std::uint64_t distance, unsigned lanes = warp_size) {
  request_builder r(memory_space::global, access::read, line);
  r.lanes([=](unsigned l) { return l < lanes ? std::optional(at + distance * l) : std::nullopt; });
  return r;
}

}  // namespace

TEST_CASE("the chosen block alone is traced: each warp's requests, branches and primitives, between its barriers") {
  test_device d;
  const address in = d.allocate("in", 1 << 16);
  d.begin_launch({2, 1, 1}, {40, 1, 1});
  test_worker w(d, tracing({1, 0, 0}));
  for (const unsigned block : {0U, 1U}) {
    w.begin_block(block);
    w.request(strided(5, in, 4));
    w.request(strided(5, in, 128, 8).warp(1));
    w.barrier(6);
    step(w, {7, 0, 0xffff, full_warp});
    step(w, {8, 0, full_warp, full_warp});  // nobody leaves the others: no branch
    w.request(strided(7, in, 8, 16));
    w.syncwarp(0);
    w.end_block();
  }
  const std::optional<block_trace> t = report_of(d, w).trace;
  REQUIRE(t);
  CHECK(t->block == coordinates{1, 0, 0});
  CHECK(t->barriers_in_all == 1);
  REQUIRE(t->barriers.size() == 1);
  CHECK(t->barriers[0].where.line == 6);
  REQUIRE(t->warps.size() == 2);
  CHECK(t->warps[0].lanes == 32);
  CHECK(t->warps[1].lanes == 8);

  REQUIRE(t->warps[0].events.size() == 4);
  const auto place = [&](std::size_t warp, std::size_t n) { return t->places.at(t->warps[warp].events[n].place); };
  const std::vector<traced_event>& events = t->warps[0].events;
  CHECK(place(0, 0).where.line == 5);
  CHECK(place(0, 0).variable == "in");
  CHECK(events[0].epoch == 0);
  CHECK(events[0].cost == 4);
  CHECK(events[0].fewest == 4);
  CHECK(place(0, 1).what == traced_action::branch);
  CHECK(events[1].epoch == 1);
  CHECK(events[1].active == 0xffff);
  CHECK(events[2].cost == 4);
  CHECK(events[2].fewest == 2);
  CHECK(place(0, 3).what == traced_action::syncwarp);
  REQUIRE(t->warps[1].events.size() == 1);
  CHECK(t->warps[1].events[0].cost == 8);
  CHECK(t->warps[1].events[0].fewest == 1);
}

TEST_CASE("what has no room is counted, and a block that the launch does not have has no warps") {
  test_device d;
  const address in = d.allocate("in", 4096);
  d.begin_launch({1, 1, 1}, {32, 1, 1});
  test_worker w(d, tracing({0, 0, 0}));
  w.begin_block(0);
  for (std::size_t i = 0; i < 3 * block_tracer::most_events; ++i) {
    w.request(strided(5, in, 4));
    w.barrier();
  }
  w.end_block();
  const std::optional<block_trace> t = report_of(d, w).trace;
  REQUIRE(t);
  CHECK(t->warps.at(0).events.size() == block_tracer::most_events);
  CHECK(t->warps[0].events_in_all == 3 * block_tracer::most_events);
  CHECK(t->barriers.size() == block_tracer::most_events);
  CHECK(t->barriers_in_all == 3 * block_tracer::most_events);

  test_worker other(d, tracing({7, 0, 0}));
  other.begin_block(0);
  other.request(strided(5, in, 4));
  other.end_block();
  const std::optional<block_trace> none = report_of(d, other).trace;
  REQUIRE(none);
  CHECK(none->warps.empty());
}

TEST_CASE("a trace has the accesses of every thread, in the epochs and lines in which another recorder saw them") {
  std::mt19937 generator(11);
  const auto random = [&generator] { return static_cast<std::uint32_t>(generator()); };
  for (int trial = 0; trial < 60; ++trial) {
    test_device d;
    const address in = d.allocate("in", 1 << 16);
    d.shared_array("tile", 0, 4096);
    const unsigned threads = 1 + random() % 200;
    d.begin_launch({3, 1, 1}, {threads, 1, 1});
    test_worker w(d, tracing({1, 0, 0}, 1 << 20));
    for (const unsigned block : {2U, 1U, 0U}) {
      w.begin_block(block);
      for (unsigned n = random() % 90; n > 0; --n) {
        if (random() % 7 == 0) w.barrier();
        const unsigned warp = random() % ((threads + 31) / 32), lanes = std::min(warp_size, threads - 32 * warp);
        const lane_mask mask = random() | 1U;
        const bool is_shared = random() % 2 == 0;
        request_builder r(is_shared ? memory_space::shared : memory_space::global,
                          is_shared ? access::write : access::read, 1 + random() % 5);
        r.lanes([&](unsigned l) {
          return l < lanes && (mask >> l & 1) != 0 ? std::optional((is_shared ? 0 : in) + 4 * (random() % 64))
                                                   : std::nullopt;
        });
        w.request(r.warp(warp));
      }
      w.end_block();
    }
    const launch_report result = report_of(d, w);
    using where = std::tuple<std::uint64_t, std::uint32_t, int, std::string>;  // epoch, thread, line, variable
    std::map<where, int> recorded, traced;
    for (const recorded_access& a : result.recorded)
      if (a.block == 1) ++recorded[{a.epoch, a.thread, a.where.line, a.variable}];
    REQUIRE(result.trace);
    for (std::uint32_t n = 0; n < result.trace->warps.size(); ++n)
      for (const traced_event& e : result.trace->warps[n].events) {
        const traced_place& p = result.trace->places.at(e.place);
        for (lane_mask rest = e.active; rest != 0; rest &= rest - 1)
          ++traced[{e.epoch, n * warp_size + static_cast<std::uint32_t>(std::countr_zero(rest)), p.where.line,
                    p.variable}];
      }
    CHECK(traced == recorded);
  }
}

}  // namespace simtlab::emulator::testing
