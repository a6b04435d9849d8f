#include "costs/request_costs.h"

#include <doctest/doctest.h>

#include "request_builder.h"

namespace simtlab::emulator::testing {

TEST_CASE("every request counts its lanes and the bytes they ask for") {
  request_builder b(memory_space::local, access::read);
  b.width(8).lanes([](unsigned l) { return l < 5 ? std::optional<address>(8 * l) : std::nullopt; });
  const request_counters c = cost_of(b.get());
  CHECK(c.requests == 1);
  CHECK(c.lanes == 5);
  CHECK(c.bytes == 40);
  CHECK(c.sectors == 0);
}

TEST_CASE("bytes of local memory count as indexed where an index chose the place") {
  request_builder b(memory_space::local, access::write);
  warp_request request = b.lanes([](unsigned l) { return 4 * (l % 16); }).get();
  CHECK(cost_of(request).indexed_bytes == 0);
  request.is_indexed = true;
  CHECK(cost_of(request).indexed_bytes == 128);
}

TEST_CASE("texture fetches: the sectors of their texels, those outside left out") {
  request_builder b(memory_space::texture, access::read);
  warp_request side_by_side = b.lanes([](unsigned l) { return 4 * l + 128; }).get();
  side_by_side.texels = ~lane_mask{0};
  CHECK(cost_of(side_by_side).sectors == 4);
  side_by_side.texels = 0xff;
  CHECK(cost_of(side_by_side).sectors == 1);
  CHECK(cost_of(side_by_side).lanes == 32);
  side_by_side.texels = 0;
  CHECK(cost_of(side_by_side).sectors == 0);
  warp_request apart = b.lanes([](unsigned l) { return 32 * l + 128; }).get();
  apart.texels = ~lane_mask{0};
  CHECK(cost_of(apart).sectors == 32);
  CHECK(cost_of(apart).ideal_sectors == 4);
}

TEST_CASE("constant memory: one distinct word for a broadcast, 32 for 32 addresses") {
  request_builder b(memory_space::constant, access::read);
  CHECK(cost_of(b.lanes([](unsigned) { return 400; }).get()).distinct_words == 1);
  CHECK(cost_of(b.lanes([](unsigned l) { return 4 * (31 - l); }).get()).distinct_words == 32);
  CHECK(cost_of(b.width(8).lanes([](unsigned l) { return 8 * (l / 16); }).get()).distinct_words == 4);
}

TEST_CASE("atomics count the lanes that meet at one address, in global and in shared memory") {
  for (const memory_space space : {memory_space::global, memory_space::shared}) {
    request_builder b(space, access::atomic);
    CHECK(cost_of(b.lanes([](unsigned l) { return 4 * l; }).get()).same_address_lanes == 1);
    CHECK(cost_of(b.lanes([](unsigned l) { return 4 * (l % 5); }).get()).same_address_lanes == 7);
    CHECK(cost_of(b.lanes([](unsigned) { return 0; }).get()).same_address_lanes == 32);
  }
}

TEST_CASE("of stores to shared memory those that copy are counted apart, too") {
  request_builder b(memory_space::shared, access::write);
  warp_request request = b.lanes([](unsigned l) { return 8 * l; }).get();
  CHECK(cost_of(request).copied_requests == 0);
  CHECK(cost_of(request).copied_wavefronts == 0);
  request.is_copy = true;
  CHECK(cost_of(request).copied_requests == 1);
  CHECK(cost_of(request).copied_wavefronts == 2);
  CHECK(cost_of(request).wavefronts == 2);
}

// As an H200 counts them: `ATOM.E.ADD` of 32 and 64 bits on global memory takes 1 and 2 wavefronts of shared memory, `ATOM.E.CAS` twice
// that, and `ATOM.E.ADD.F32` on shared memory one, before the loop that does it.
TEST_CASE("what asks shared memory in vain takes its wavefronts") {
  request_builder b(memory_space::global, access::atomic);
  warp_request request = b.lanes([](unsigned l) { return 4 * l; }).get();
  CHECK(cost_of(request).generic_wavefronts == 0);
  request.vain_passes = 2;
  CHECK(cost_of(request).generic_wavefronts == 2);
  request.atomic = atomic_kind::swap;
  CHECK(cost_of(request).generic_wavefronts == 4);
  request_builder of_shared(memory_space::shared, access::atomic);
  warp_request probing = of_shared.lanes([](unsigned) { return 0; }).get();
  probing.atomic = atomic_kind::probe;
  CHECK(cost_of(probing).wavefronts == 1);
  probing.width = 8;
  CHECK(cost_of(probing).wavefronts == 2);
}

TEST_CASE("a request that came again is counted without being looked at") {
  request_costs costs;
  CHECK(costs.request_detail() == detail::aggregate);
  request_builder b(memory_space::shared, access::read, 7);
  b.lanes([](unsigned l) { return 8 * l; });
  costs.request(b.get());
  costs.repeated(7, 4);
  costs.repeated(7, 5);
  const auto rows = costs.table().resolve([](site) { return source_line{"k.cu", 1}; }, [](variable_id) { return ""; });
  REQUIRE(rows.size() == 1);
  CHECK(rows[0].counters.requests == 10);
  CHECK(rows[0].counters.lanes == 320);
  CHECK(rows[0].counters.wavefronts == 20);
  CHECK(rows[0].counters.largest_wavefronts == 2);
}

}  // namespace simtlab::emulator::testing
