#include "runtime/host_work.h"

#include <doctest/doctest.h>

#include <cstring>
#include <numeric>
#include <vector>

using namespace simtlab::emulator;

namespace {

address of(const void* p) { return reinterpret_cast<address>(p); }

/// A result of 40 numbers that a kernel stored, and the program's memory for it.
struct one_call {
  one_call() : on_device(40), staging(40), output(40, -1.0F) {
    std::iota(on_device.begin(), on_device.end(), 100.0F);
    work.hand_over_host(output.data(), output.size() * sizeof(float));
  }
  void bring_back(std::size_t first, std::size_t count) {
    std::memcpy(&staging[first], &on_device[first], count * sizeof(float));
    work.copied_to_host(&staging[first], of(&on_device[first]), count * sizeof(float), 1);
  }
  [[nodiscard]] std::uint64_t of_the_host() const {
    return work.stored_on_host(output.data(), output.size() * sizeof(float), {}).bytes;
  }
  initialised_bytes marks;
  host_work work{marks};
  std::vector<float> on_device, staging, output;
};

}  // namespace

TEST_CASE("results that come back in parts, to memory of the program's own, come from the device") {
  for (const std::vector<std::size_t>& parts : {std::vector<std::size_t>{40}, {20, 20}, {9, 10, 21}, {1, 38, 1}}) {
    one_call call;
    std::size_t first = 0;
    for (const std::size_t count : parts) {
      call.bring_back(first, count);
      first += count;
    }
    call.output = call.staging;
    CHECK(call.of_the_host() == 0);
  }
}

TEST_CASE("they may hold what the output held before") {
  one_call call;
  call.on_device[7] = call.on_device[22] = -1.0F;
  call.bring_back(0, 19);
  call.bring_back(19, 21);
  std::memcpy(call.output.data(), call.staging.data(), 40 * sizeof(float));
  CHECK(call.of_the_host() == 0);
}

TEST_CASE("what the host adds between the parts, or puts in their place, is the host's") {
  one_call call;
  call.bring_back(0, 10);
  call.bring_back(20, 20);
  std::memcpy(call.output.data(), call.on_device.data(), 40 * sizeof(float));  // 10 to 19 never came back
  CHECK(call.of_the_host() > 0);
  one_call other;
  other.bring_back(0, 20);
  other.bring_back(20, 20);
  std::memcpy(other.output.data(), other.staging.data(), 40 * sizeof(float));
  other.output[25] = 3.5F;
  CHECK(other.of_the_host() > 0);
}
