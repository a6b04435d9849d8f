#include "checks/memory/bounds.h"

#include <doctest/doctest.h>

#include "report/source_map.h"
#include "test_device.h"
#include "tests/has.h"

namespace simtlab::emulator::testing {
TEST_CASE("one element past the end: the variable, its size, the index, and how far") {
  single_block b(32);
  const address in = b.device.allocate("in", 100);
  b.run().request(request_builder(global, access::read, 5).lanes([=](unsigned l) { return in + 4 * l; }));
  const auto found = b.findings();
  REQUIRE(identities(found) == std::vector<std::string>{"out-of-bounds 0-5 in"});
  CHECK(found[0].first.thread.x == 25);
  CHECK(found[0].first.action == "reads in[25]");
  CHECK(found[0].count == 7);
  CHECK(has(found[0].message, "in has 25 elements of 4 bytes"));
  CHECK(has(found[0].message, "index 25, ends 4 bytes past its end"));
}

TEST_CASE(
    "an array of as many bytes as threads has forgotten sizeof; one that is merely smaller than a block has not") {
  const auto message = [](extents grid, std::uint64_t bytes) {
    test_device d;
    const address in = d.allocate("in", bytes);
    d.begin_launch(grid, {256, 1, 1});
    test_worker w(d);
    w.begin_block(0);
    w.access_by(0, global, access::read, 5, in + bytes);
    w.end_block();
    w.end_launch();
    return d.findings().at(0).message;
  };
  CHECK(has(message({4, 1, 1}, 1000), "multiply the number of elements by sizeof, here by 4"));
  CHECK(has(message({1, 1, 1}, 4), "Compare the index with the size"));
  CHECK(has(message({1, 1, 1}, 256), "Compare the index with the size"));
  CHECK(has(message({4, 1, 1}, 256), "Compare the index with the size"));
}

TEST_CASE("an access that begins inside and ends outside is outside") {
  single_block b(32);
  const address in = b.device.allocate("in", 40);
  b.run().access_by(0, global, access::read, 5, in + 32, 0, 16);
  const auto found = b.findings();
  REQUIRE(found.size() == 1);
  CHECK(found[0].what == rule::out_of_bounds);
  CHECK(has(found[0].message, "ends 8 bytes past its end"));
}

TEST_CASE("machine code reads the word around a half, where the array ends amid one; words beyond are outside") {
  const auto found_at = [](site where, address offset) {
    single_block b(32);
    const address in = b.device.allocate("in", 18);
    b.run().access_by(0, global, access::atomic, where, in + offset);
    return b.findings().size();
  };
  constexpr site machine = source_map::first_machine_site + 5;
  CHECK(found_at(machine, 16) == 0);
  CHECK(found_at(machine, 20) == 1);
  CHECK(found_at(5, 16) == 1);
}

TEST_CASE("a negative index names the array behind, not the one far before") {
  single_block b(32);
  b.device.allocate("other", 64);
  const address in = b.device.allocate("in", 64);
  b.run().access_by(0, global, access::write, 5, in - 8);
  const auto found = b.findings();
  REQUIRE(identities(found) == std::vector<std::string>{"out-of-bounds 0-5 in"});
  CHECK(has(found[0].message, "index -2"));
}

TEST_CASE("shared arrays are separate: running from one into the next is seen") {
  single_block b(32);
  b.device.shared_array("first", 0, 128);
  b.device.shared_array("second", 128, 128);
  b.run().access_by(3, shared, access::write, 5, 128);
  CHECK(b.findings().empty());

  single_block c(32);
  c.device.shared_array("first", 0, 128);
  c.device.shared_array("second", 160, 128);
  c.run().request(request_builder(shared, access::write, 5).lanes([](unsigned l) { return 4 * (l + 1); }));
  const auto found = c.findings();
  REQUIRE(identities(found) == std::vector<std::string>{"out-of-bounds 0-5 first"});
  CHECK(found[0].first.thread.x == 31);
}

TEST_CASE("dynamic shared memory ends where the launch said, and the launch that forgot it is told") {
  single_block b(32);
  b.device.shared_array("dynamic shared memory", 1 << 24, 0);
  b.run().access_by(0, shared, access::write, 5, 1 << 24);
  const auto found = b.findings();
  REQUIRE(found.size() == 1);
  CHECK(found[0].what == rule::out_of_bounds);
  CHECK(has(found[0].message, "third launch parameter"));
}

TEST_CASE("dynamic shared memory that is too small is put down to the launch's third parameter, in bytes") {
  single_block b(32);
  b.device.shared_array("tile", dynamic_shared_window, 32);  // 32 elements were meant
  b.run().access_by(8, shared, access::write, 5, dynamic_shared_window + 32);
  const auto found = b.findings();
  REQUIRE(found.size() == 1);
  CHECK(found[0].what == rule::out_of_bounds);
  CHECK(has(found[0].message, "asked for 32 bytes of dynamic shared memory, its third parameter"));
  CHECK(has(found[0].message, "times sizeof"));
}

TEST_CASE("a static array that is too small has nothing to do with the launch") {
  single_block b(32);
  b.device.shared_array("tile", 0, 32);
  b.run().access_by(8, shared, access::write, 5, 32);
  const auto found = b.findings();
  REQUIRE(found.size() == 1);
  CHECK_FALSE(has(found[0].message, "third parameter"));
}

TEST_CASE("use after free, misaligned vectors, null and host pointers each have their own rule") {
  single_block b(32);
  const address freed = b.device.allocate("freed", 64), in = b.device.allocate("in", 256);
  b.device.map.release(b.device.map.find(freed)->id);
  b.run().access_by(0, global, access::read, 5, freed);
  b.run().request(request_builder(global, access::read, 6).width(16).lanes([=](unsigned l) {
    return l < 15 ? std::optional(in + 4 + 16 * l) : std::nullopt;
  }));
  b.run().access_by(0, memory_space::host, access::read, 7, 0x18);
  b.run().access_by(0, memory_space::host, access::write, 8, 0x7fff'1234'5678);
  b.run().access_by(0, memory_space::unmapped, access::write, 9, 0x6000'0000'0000);
  const auto found = b.findings();
  CHECK(identities(found) == std::vector<std::string>{"device-access-to-host 0-8 ", "invalid-address 0-7 ",
                                                      "invalid-address 0-9 ", "misaligned 0-6 in",
                                                      "use-after-free 0-5 freed"});
  for (const finding& f : found) CHECK_FALSE(has(f.message, "0x"));  // addresses differ from run to run
}

TEST_CASE("a lane that is out of bounds is left out of the other checks, the rest is checked") {
  single_block b(32);
  b.device.shared_array("tile", 0, 124);
  b.run().request(request_builder(shared, access::read, 5).lanes([](unsigned l) { return 4 * l; }));
  const auto found = b.findings();
  CHECK(identities(found) == std::vector<std::string>{"out-of-bounds 0-5 tile", "uninitialised-shared 0-5 tile"});
  for (const finding& f : found) CHECK(f.count == (f.what == rule::out_of_bounds ? 1 : 31));
}

TEST_CASE("requests that repeat are still checked at their own address") {
  single_block b(32);
  const address in = b.device.allocate("in", 256);
  request_builder r(global, access::read, 5);
  r.variable(b.device.map.find(in)->id);
  b.run().request(r.lanes([=](unsigned l) { return in + 4 * l; }));
  b.run().request(r.lanes([=](unsigned l) { return in + 128 + 4 * l; }).repeats());
  CHECK(b.findings().empty());
  b.run().request(r.lanes([=](unsigned l) { return in + 4 * l; }).repeats(false));
  b.run().request(r.lanes([=](unsigned l) { return in + 256 + 4 * l; }).repeats());
  CHECK(identities(b.findings()) == std::vector<std::string>{"out-of-bounds 0-5 in"});
}

TEST_CASE("the example is the lowest block's, whichever worker came first") {
  test_device d;
  const address in = d.allocate("in", 4);
  d.begin_launch({4, 1, 1}, {32, 1, 1});
  test_worker w(d);
  for (const unsigned block : {3U, 1U, 2U, 0U}) {
    w.begin_block(block);
    if (block > 0) w.access_by(block, global, access::read, 5, in + 4 * block);
    w.end_block();
  }
  w.end_launch();
  const auto found = d.findings();
  REQUIRE(found.size() == 1);
  CHECK(found[0].first.block.x == 1);
  CHECK(found[0].first.thread.x == 1);
  CHECK(found[0].count == 3);
}

namespace {

/// A heap of kernels with blocks of 64 bytes, allocated at line 3.
struct heap_of_blocks {
  single_block b;
  heap_blocks blocks;
  address begin;
  explicit heap_of_blocks(unsigned threads) : b(threads), begin(b.device.allocate("", 1 << 20)) {
    b.device.map.add(
        {.space = global, .begin = begin + (1 << 20), .bytes = 1 << 20, .name = "heap", .blocks = &blocks});
    begin += 1 << 20;
    b.device.shared.initialised().mark(begin, 1 << 20);
    for (unsigned i = 0; i < 32; ++i) blocks.add(begin + 1024 + 96 * i, 64, {3, "kernel", 1, 0, i});
  }
  [[nodiscard]] address block(unsigned i) const { return begin + 1024 + 96 * i; }
  void frees(unsigned thread, unsigned i) {
    blocks.release(block(i), 4);
    std::array<address, warp_size> begins{};
    begins[thread % warp_size] = block(i);
    for (observer* o : b.run().set.observers())
      o->frees({thread / warp_size, lane_mask{1} << thread % warp_size, begins.data()});
  }
};

}  // namespace

TEST_CASE("a block of the heap of kernels has bounds of its own, and the line of its allocation") {
  heap_of_blocks h(32);
  h.b.run().request(request_builder(global, access::write, 5).lanes([&](unsigned l) { return h.block(l) + 60; }));
  CHECK(h.b.findings().empty());
  heap_of_blocks past(32);
  past.b.run().request(request_builder(global, access::write, 5).lanes([&](unsigned l) { return past.block(l) + 64; }));
  const auto found = past.b.findings();
  REQUIRE(identities(found) == std::vector<std::string>{"out-of-bounds 3-5 memory that kernel allocated"});
  CHECK(found[0].count == 32);
  CHECK(found[0].first.action == "writes element 16 of an allocation of 64 bytes");
  CHECK(found[0].second.action == "allocated it");
}

TEST_CASE("a freed block is used after free by its thread at once, by others of the block behind a barrier") {
  heap_of_blocks h(64);
  h.frees(5, 7);
  h.b.run().access_by(6, global, access::read, 8, h.block(7));
  h.b.run().access_by(40, global, access::read, 8, h.block(7));
  CHECK(h.b.findings().empty());
  heap_of_blocks own(64);
  own.frees(5, 7);
  own.b.run().access_by(5, global, access::read, 8, own.block(7));
  own.b.run().access_by(5, global, access::read, 8, own.block(8));
  const auto found = own.b.findings();
  REQUIRE(identities(found) == std::vector<std::string>{"use-after-free 4-8 memory that kernel allocated"});
  CHECK(found[0].second.action == "freed it");
  heap_of_blocks later(64);
  later.frees(5, 7);
  later.b.run().barrier();
  later.b.run().access_by(40, global, access::read, 8, later.block(7));
  CHECK(identities(later.b.findings()) == std::vector<std::string>{"use-after-free 4-8 memory that kernel allocated"});
}

}  // namespace simtlab::emulator::testing
