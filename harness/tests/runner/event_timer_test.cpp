// Which of the two clocks sees what, over the stand-in for CUDA, whose events are over at once.
#include "runner/event_timer.h"

#include <doctest/doctest.h>

#include <thread>

using namespace simtlab;

TEST_CASE("the device is held before the first event: launching is not in the time") {
  int times = 0;
  event_timer timer([&] {
    ++times;
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  });
  CHECK(times == 0);
  timer.start();
  const double milliseconds = timer.stop();
  CHECK(times == 1);
  CHECK(timer.host_milliseconds() - milliseconds > 19);  // both saw the call, and one of them the holding as well
}
