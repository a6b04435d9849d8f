// The shared memory of a block: where it lies, and that no block sees what another left there.
#include "scheduler/block_shared_memory.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstring>
#include <iterator>
#include <thread>

namespace simtlab::emulator {
namespace {

thread_local unsigned char tile[16], beside[16];

address address_of(const void* p) { return reinterpret_cast<address>(p); }

// `tile`, as the map knows a `__shared__` variable: by its offset in the window.
memory_region region_of(const address_layout& layout) {
  return {0, memory_space::shared, address_of(tile) - layout.static_shared.begin, sizeof tile, "tile", true};
}

bool all_of_tile_are(unsigned char value) {
  return std::all_of(std::begin(tile), std::end(tile), [value](unsigned char c) { return c == value; });
}

}  // namespace

TEST_CASE("variables lie in the thread's own storage, and dynamic shared memory behind them in the window") {
  block_shared_memory memory;
  address_layout layout;
  memory.lay_out(layout);
  CHECK(layout.static_shared.contains(address_of(tile)));
  CHECK(layout.shared_offset(address_of(tile)) == address_of(tile) - layout.static_shared.begin);
  CHECK(layout.shared_offset(address_of(memory.dynamic())) == dynamic_shared_window);
  CHECK(!layout.shared_offset(address_of(&memory)));

  address_layout of_another_thread;
  std::thread([&] { memory.lay_out(of_another_thread); }).join();
  CHECK(of_another_thread.static_shared.begin != layout.static_shared.begin);
  CHECK(of_another_thread.dynamic_shared.begin == layout.dynamic_shared.begin);
}

TEST_CASE("a block that begins finds neither variables nor dynamic shared memory of another") {
  block_shared_memory memory;
  address_layout layout;
  memory.lay_out(layout);
  const memory_region region = region_of(layout);
  std::memset(tile, 1, sizeof tile);
  std::memset(beside, 1, sizeof beside);
  memory.forget_static({&region});
  CHECK(all_of_tile_are(0xff));
  CHECK(beside[0] == 1);  // no variable of the program's

  auto* const dynamic = static_cast<unsigned char*>(memory.dynamic());
  std::memset(dynamic, 1, 64);
  memory.forget_dynamic(32);
  CHECK(dynamic[31] == 0xff);
  CHECK(dynamic[32] == 1);
}

TEST_CASE("a block that is set aside finds its variables again") {
  block_shared_memory memory;
  address_layout layout;
  memory.lay_out(layout);
  const memory_region region = region_of(layout);
  std::memset(tile, 1, sizeof tile);
  memory.park({&region});
  std::memset(tile, 2, sizeof tile);  // the other block
  memory.unpark({&region});
  CHECK(all_of_tile_are(1));
}

}  // namespace simtlab::emulator
