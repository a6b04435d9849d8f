// printf of a kernel: its arguments in memory, as nvcc leaves them.
#include "runtime/device_print.h"

#include <doctest/doctest.h>

#include <cstring>
#include <string>
#include <vector>

using namespace simtlab::emulator;

namespace {

/// Each argument at the next multiple of its size.
struct packed {
  std::vector<std::byte> bytes;
  template <class T>
  packed& operator<<(const T& value) {
    const std::size_t at = rounded_up(bytes.size(), sizeof value);
    bytes.resize(at + sizeof value);
    std::memcpy(bytes.data() + at, &value, sizeof value);
    return *this;
  }
};

std::string print(const char* format, const packed& arguments = {}) {
  return device_print(format, arguments.bytes,
                      [](address at) { return at == 16 ? std::string("warp") : std::string(); });
}

}  // namespace

TEST_CASE("numbers of 4 and 8 bytes, aligned to their size") {
  CHECK(print("%d %lld %u\n", packed() << -7 << -8LL << 9U) == "-7 -8 9\n");
  CHECK(print("%x %lu %zu", packed() << 255U << 1UL << 2UL) == "ff 1 2");
  CHECK(print("%c%c", packed() << int{'a'} << int{'b'}) == "ab");
}

TEST_CASE("floating-point numbers come as doubles, with width and precision") {
  CHECK(print("[%8.3f] [%-6d] [%e]", packed() << 3.14159 << 5 << 0.5) == "[   3.142] [5     ] [5.000000e-01]");
  CHECK(print("%*.*f", packed() << 7 << 2 << 1.5) == "   1.50");
}

TEST_CASE("texts are looked up") {
  CHECK(print("%s: %s", packed() << std::uint64_t{16} << std::uint64_t{0}) == "warp: ");
}

TEST_CASE("a conversion without an argument, or that there is not, prints as it stands") {
  CHECK(print("%d and %%") == "%d and %");
  CHECK(print("100 %") == "100 %");
  CHECK(print("%y") == "%y");
}
