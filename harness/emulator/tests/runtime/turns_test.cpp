// Blocks take turns one after the other; a thread waits for those of earlier turns, and for nobody else.
#include "scheduler/turns.h"

#include <doctest/doctest.h>

#include <atomic>
#include <chrono>
#include <thread>
#include <vector>

using namespace simtlab::emulator;
using namespace std::chrono_literals;

TEST_CASE("turns are taken in order, once each") {
  turns order;
  CHECK(order.take() == 0);
  CHECK(order.take() == 1);
  CHECK(order.taken() == 2);
  order.leave();
}

TEST_CASE("who has the earliest turn, or none, waits for nobody") {
  turns order;
  turns::await_earlier();
  static_cast<void>(order.take());
  turns::await_earlier();
  std::thread([&] {
    turns::await_earlier();  // it has no turn of its own
    static_cast<void>(order.take());
    order.leave();
    turns::await_earlier();
  }).join();
  order.leave();
}

TEST_CASE("whatever threads run them, blocks get through in the order of their turns") {
  constexpr std::uint64_t blocks = 200;
  turns order;
  std::vector<std::uint64_t> passed;
  const auto run = [&] {
    for (std::uint64_t turn = order.take(); turn < blocks; turn = order.take()) {
      if (turn % 7 == 0) std::this_thread::sleep_for(200us);
      turns::await_earlier();
      passed.push_back(turn);  // nobody else is here
    }
    order.leave();
  };
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) threads.emplace_back(run);
  for (std::thread& t : threads) t.join();
  REQUIRE(passed.size() == blocks);
  for (std::uint64_t i = 0; i < blocks; ++i) CHECK(passed[i] == i);
}

TEST_CASE("a block that was set aside holds nobody up") {
  turns order;
  static_cast<void>(order.take());
  std::atomic<bool> passed = false;
  std::thread later([&] {
    static_cast<void>(order.take());
    turns::await_earlier();
    passed = true;
    order.leave();
  });
  std::this_thread::sleep_for(20ms);
  CHECK(!passed);
  order.leave();
  later.join();
  CHECK(passed);
}
