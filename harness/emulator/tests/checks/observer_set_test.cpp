#include "observers/observer_set.h"

#include <doctest/doctest.h>

#include "test_device.h"

namespace simtlab::emulator::testing {

TEST_CASE("nothing wanted, nobody called") {
  test_device d;
  CHECK(test_worker(d, {false, false}).set.observers().empty());
  CHECK_FALSE(test_worker(d, {true, false}).set.observers().empty());
  CHECK_FALSE(test_worker(d, {false, true}).set.observers().empty());
}

TEST_CASE("the counters of all workers add up, the same for any number of them") {
  std::vector<launch_report> results;
  for (const unsigned workers : {1U, 3U}) {
    test_device d;
    const address in = d.allocate("in", 4096);
    d.begin_launch({6, 1, 1}, {32, 1, 1});
    std::vector<std::unique_ptr<test_worker>> team;
    std::vector<observer_set*> sets;
    for (unsigned i = 0; i < workers; ++i) {
      team.push_back(std::make_unique<test_worker>(d));
      sets.push_back(&team.back()->set);
    }
    for (unsigned block = 0, turn = 0; block < 6; ++block, turn = turn + 1 < workers ? turn + 1 : 0) {
      test_worker& w = *team[turn];
      w.begin_block(block);
      w.request(request_builder(memory_space::global, access::read, 5).lanes([=](unsigned l) {
        return in + 4 * (l + block);
      }));
      for (observer* o : w.set.observers()) {
        o->steps(2, 1);
        o->busiest_warp(block == 3 ? 7 : 1);
        o->working_warps(block % 2);
      }
      for (const warp_operation o : {warp_operation::shuffle, warp_operation::syncwarp, warp_operation::vote})
        for (observer* to : w.set.observers()) to->warp_primitive({.where = 9, .operation = o});
      w.barrier();
      w.end_block();
    }
    for (auto& w : team) w->end_launch();
    launch_report result;
    collect(sets, line_of, d.map, result);
    results.push_back(std::move(result));
    CHECK(d.findings().empty());
  }
  for (const launch_report& r : results) {
    CHECK(r.steps == 12);
    CHECK(r.divergent_steps == 6);
    CHECK(r.barriers == 6);
    CHECK(r.busiest_warp_requests == 7);
    CHECK(r.working_warps == 3);
    CHECK(r.warp_value_primitives == 12);  // a shuffle and a vote in each block; __syncwarp carries nothing
    REQUIRE(r.accesses.size() == 1);
    CHECK(r.accesses[0].variable == "in");
    CHECK(r.accesses[0].where == source_line{"kernel.cu", 5});
    CHECK(r.accesses[0].counters.requests == 6);
    CHECK(r.accesses[0].counters.sectors == 4 + 5 * 5);
  }
}

TEST_CASE("without checks nothing is found, without counters nothing counted") {
  test_device d;
  const address in = d.allocate("in", 4);
  for (const observer_options& wanted : {observer_options{true, false}, observer_options{false, true}}) {
    d.begin_launch({1, 1, 1}, {32, 1, 1});
    test_worker w(d, wanted);
    w.begin_block(0);
    w.access_by(0, memory_space::global, access::read, 5, in + 4);
    w.end_block();
    const launch_report result = report_of(d, w);
    CHECK(result.accesses.size() == (wanted.counters ? 1 : 0));
    CHECK(d.findings().size() == (wanted.checks ? 1 : 0));
  }
}

}  // namespace simtlab::emulator::testing
