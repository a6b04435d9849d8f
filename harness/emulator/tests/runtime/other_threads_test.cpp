// Further host threads join a launch that is long, and leave a short one to the thread that launches.
#include "scheduler/other_threads.h"

#include <doctest/doctest.h>

#include <atomic>
#include <chrono>

using namespace simtlab::emulator;
using namespace std::chrono_literals;

namespace {

running_launch& launch_of(running_launch& launch, std::uint32_t blocks, std::uint64_t taken) {
  launch.info.grid = {blocks, 1, 1};
  for (std::uint64_t i = 0; i < taken; ++i) static_cast<void>(launch.order_of_blocks.take());
  launch.order_of_blocks.leave();
  return launch;
}

}  // namespace

TEST_CASE("a launch that is not long yet has the thread that launches alone") {
  running_launch launch;
  std::atomic<int> begun = 0;
  other_threads others(
      launch_of(launch, 100, 1), 3, [&] { ++begun; }, 1h);
  for (int i = 0; i < 10; ++i) others.begin_if_long();
  others.join();
  CHECK(begun == 0);
  CHECK(launch.threads == 1);
}

TEST_CASE("the others join a long launch once") {
  running_launch launch;
  std::atomic<int> begun = 0;
  other_threads others(
      launch_of(launch, 100, 1), 3, [&] { ++begun; }, 0s);
  for (int i = 0; i < 10; ++i) others.begin_if_long();
  others.join();
  CHECK(begun == 3);
  CHECK(launch.threads == 4);
}

TEST_CASE("of the others no more join than there are blocks left") {
  for (const auto& [taken, left] : {std::pair{1, 2}, {2, 1}, {3, 0}, {5, 0}}) {
    CAPTURE(taken);
    running_launch launch;
    std::atomic<int> begun = 0;
    other_threads others(
        launch_of(launch, 3, static_cast<std::uint64_t>(taken)), 8, [&] { ++begun; }, 0s);
    others.begin_if_long();
    others.join();
    CHECK(begun == left);
    CHECK(launch.threads == 1 + left);
  }
}
