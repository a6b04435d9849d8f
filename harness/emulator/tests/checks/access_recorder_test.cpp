#include "observers/access_recorder.h"

#include <doctest/doctest.h>

#include "test_device.h"

namespace simtlab::emulator::testing {
namespace {

constexpr observer_options recording(std::size_t most) {
  observer_options wanted;
  wanted.recorded_accesses = most;
  return wanted;
}

}  // namespace

TEST_CASE("each access of each thread is recorded, with the barriers before it") {
  test_device d;
  const address in = d.allocate("in", 64);
  d.shared_array("tile", 0, 16);
  d.begin_launch({2, 1, 1}, {2, 1, 1});
  test_worker w(d, recording(100));
  w.begin_block(1);
  w.request(request_builder(memory_space::global, access::read, 5).lanes([=](unsigned l) {
    return l < 2 ? std::optional(in + 8 * l) : std::nullopt;
  }));
  w.access_by(1, memory_space::shared, access::write, 6, 12, 0);
  w.access_by(0, memory_space::shared, access::write, 6, 8, 7);
  w.barrier();
  w.access_by(1, memory_space::shared, access::read, 7, 8);
  w.end_block();
  w.begin_block(0);
  w.access_by(1, memory_space::global, access::read, 5, in);
  w.end_block();

  const std::vector<recorded_access> all = report_of(d, w).recorded;
  REQUIRE(all.size() == 6);
  CHECK(all[0].block == 0);
  CHECK(all[0].epoch == 0);  // each block has barriers of its own
  CHECK(all[1].block == 1);
  CHECK(all[1].thread == 0);
  CHECK(all[1].variable == "in");
  CHECK(all[1].variable_bytes == 64);
  CHECK(all[1].offset == 0);
  CHECK(all[2].variable == "tile");  // thread 0's second access comes before thread 1's first
  CHECK(all[2].offset == 8);
  CHECK_FALSE(all[2].stores_zero);
  CHECK(all[3].offset == 8);
  CHECK(all[3].variable == "in");
  CHECK(all[4].where.line == 6);
  CHECK(all[4].stores_zero);
  CHECK(all[5].epoch == 1);
  CHECK(all[5].kind == access::read);
}

TEST_CASE("a lane that leaves its neighbours' variable is an access to no variable") {
  test_device d;
  const address in = d.allocate("in", 4);
  d.begin_launch({1, 1, 1}, {2, 1, 1});
  test_worker w(d, recording(100));
  w.begin_block(0);
  w.request(request_builder(memory_space::global, access::read, 5).lanes([=](unsigned l) {
    return l < 2 ? std::optional(in + 4 * l) : std::nullopt;
  }));
  w.end_block();
  const std::vector<recorded_access> all = report_of(d, w).recorded;
  REQUIRE(all.size() == 2);
  CHECK(all[0].variable == "in");
  CHECK(all[1].variable.empty());
  CHECK(all[1].variable_bytes == 0);
}

TEST_CASE("no more is kept than asked for, and nothing unasked") {
  for (const std::size_t most : {std::size_t{0}, std::size_t{3}}) {
    test_device d;
    const address in = d.allocate("in", 128);
    d.begin_launch({1, 1, 1}, {32, 1, 1});
    test_worker w(d, recording(most));
    w.begin_block(0);
    w.request(request_builder(memory_space::global, access::read, 5).lanes([=](unsigned l) { return in + 4 * l; }));
    w.end_block();
    CHECK(report_of(d, w).recorded.size() == most);
  }
}

}  // namespace simtlab::emulator::testing
