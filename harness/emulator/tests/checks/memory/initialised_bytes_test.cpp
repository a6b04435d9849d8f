#include "checks/memory/initialised_bytes.h"

#include <doctest/doctest.h>

#include <thread>
#include <vector>

namespace simtlab::emulator::testing {

TEST_CASE("bytes are initialised once they are marked, byte-exact and across pages") {
  initialised_bytes bytes;
  constexpr address at = 0x7f12'3456'fffd;  // three bytes before a page of 64 KiB ends
  CHECK_FALSE(bytes.all(at, 1));
  bytes.mark(at, 200'000);
  CHECK(bytes.all(at, 200'000));
  CHECK_FALSE(bytes.all(at - 1, 2));
  CHECK_FALSE(bytes.all(at + 199'999, 2));
  CHECK(bytes.any(at - 1, 2));
  CHECK_FALSE(bytes.any(at - 100, 100));
  bytes.forget(at + 100, 1);
  CHECK_FALSE(bytes.any(at + 100, 1));
  CHECK(bytes.all(at, 100));
  CHECK_FALSE(bytes.all(at + 99, 2));
  CHECK(bytes.all(at + 101, 1000));
  bytes.mark(at, 0);
  CHECK(bytes.all(at, 0));
}

TEST_CASE("workers may mark neighbouring bytes at the same time") {
  initialised_bytes bytes;
  constexpr address at = 0x5000'0000;
  std::vector<std::thread> workers;
  for (unsigned w = 0; w < 4; ++w) {
    workers.emplace_back([&bytes, w] {
      for (address a = w; a < 100'000; a += 4) bytes.mark(at + a, 1);
    });
  }
  for (auto& w : workers) w.join();
  CHECK(bytes.all(at, 100'000));
}

}  // namespace simtlab::emulator::testing
