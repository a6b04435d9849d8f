#include "checks/races/barrier_epochs/barrier_epochs.h"

#include <doctest/doctest.h>

#include <random>
#include <vector>

namespace simtlab::emulator::testing {

TEST_CASE("a block barrier settles everything before it") {
  barrier_epochs order;
  const auto before = order.now();
  CHECK(before >= order.settled());
  order.barrier();
  CHECK(before < order.settled());
  CHECK(order.now() >= order.settled());
}

TEST_CASE("a whole warp's __syncwarp orders that warp alone") {
  barrier_epochs order;
  order.barrier();
  const auto before = order.now();
  CHECK_FALSE(order.is_before(before, 1, 3, 2));
  order.syncwarp(3, full_warp, full_warp);
  CHECK(order.is_before(before, 1, 3, 2));
  CHECK_FALSE(order.is_before(before, 1, 4, 2));
  CHECK_FALSE(order.is_before(order.now(), 1, 3, 2));
}

TEST_CASE("a warp of fewer lanes is whole when all of them come") {
  barrier_epochs order;
  const auto before = order.now();
  order.syncwarp(0, 0x000f, 0x000f);
  CHECK(order.is_before(before, 1, 0, 2));
}

TEST_CASE("partial masks: knowledge is what a graph search over the events gives") {
  std::mt19937 random(11);
  for (int round = 0; round < 200; ++round) {
    barrier_epochs order;
    order.barrier();
    constexpr unsigned lanes = 6;
    constexpr lane_mask present = (1U << lanes) - 1;
    // known[j][i]: accesses of lane i before event known[j][i] are ordered before lane j's next access.
    std::vector<std::vector<unsigned>> known(lanes, std::vector<unsigned>(lanes, 0));
    std::vector<barrier_epochs::epoch> times{order.now()};  // of an access after n events
    for (unsigned event = 1; event <= 12; ++event) {
      const lane_mask mask = static_cast<lane_mask>(random()) & present;
      if (mask == 0) continue;
      order.syncwarp(0, mask, present);
      times.push_back(order.now());
      const auto happened = static_cast<unsigned>(times.size() - 1);
      std::vector<unsigned> joined(lanes, 0);
      for (unsigned j = 0; j < lanes; ++j) {
        for (unsigned i = 0; (mask >> j & 1) != 0 && i < lanes; ++i) joined[i] = std::max(joined[i], known[j][i]);
      }
      for (unsigned j = 0; j < lanes; ++j) {
        if ((mask >> j & 1) != 0) joined[j] = happened;
      }
      for (unsigned j = 0; j < lanes; ++j) {
        if ((mask >> j & 1) != 0) known[j] = joined;
      }
      for (unsigned n = 0; n < times.size(); ++n) {
        for (unsigned i = 0; i < lanes; ++i) {
          for (unsigned j = 0; j < lanes; ++j) {
            if (i == j) continue;
            CAPTURE(round);
            CHECK(order.is_before(times[n], lane_mask{1} << i, 0, lane_mask{1} << j) == (n < known[j][i]));
          }
        }
      }
    }
  }
}

}  // namespace simtlab::emulator::testing
