#include "core/heap_blocks.h"

#include <doctest/doctest.h>

#include <thread>
#include <vector>

namespace simtlab::emulator::testing {
namespace {

constexpr address heap = 0x7e00'0000'0000;

/// Two blocks of one line, 96 bytes apart, and one of another.
struct three_blocks {
  heap_blocks blocks;
  three_blocks() {
    blocks.write_lines_by([](site s) { return "prog.cu:" + std::to_string(s); });
    blocks.add(heap, 64, {3, "k", 1, 0, 5});
    blocks.add(heap + 96, 64, {3, "k", 1, 0, 6});
    blocks.add(heap + 192, 10, {4, "l", 2, 1, 6});
  }
};

}  // namespace

TEST_CASE("a block holds its bytes, and what lies behind belongs to nobody") {
  three_blocks t;
  CHECK(t.blocks.find(heap + 63)->begin == heap);
  CHECK(t.blocks.find(heap + 64) == nullptr);
  CHECK(t.blocks.find(heap + 96)->begin == heap + 96);
  CHECK(t.blocks.find(heap + 201)->bytes == 10);
  CHECK(t.blocks.find(heap + 202) == nullptr);
  CHECK(t.blocks.find(heap + (1 << 20)) == nullptr);
  CHECK(heap_blocks().find(heap) == nullptr);
}

TEST_CASE("a block of no bytes is known by its begin, and freed") {
  heap_blocks blocks;
  blocks.add(heap, 0, {});
  CHECK(blocks.find(heap) == nullptr);
  CHECK(blocks.at(heap) != nullptr);
  CHECK(blocks.release(heap, 7) != nullptr);
}

TEST_CASE(
    "an address of nobody is near to the block that ends before it or begins behind it, a live one if there is one") {
  three_blocks t;
  CHECK(t.blocks.nearest(heap + 64)->begin == heap);
  CHECK(t.blocks.nearest(heap + 92)->begin == heap + 96);
  CHECK(t.blocks.nearest(heap - 32)->begin == heap);
  CHECK(t.blocks.nearest(heap + (1 << 20))->begin == heap + 192);
  t.blocks.release(heap, 7);
  CHECK(t.blocks.nearest(heap + 64)->begin == heap + 96);
  CHECK(heap_blocks().nearest(heap) == nullptr);
}

TEST_CASE("a block is freed once, by its begin alone") {
  three_blocks t;
  CHECK(t.blocks.release(heap + 4, 7) == nullptr);
  CHECK(t.blocks.release(heap, 7)->freed_at == 7);
  CHECK(t.blocks.release(heap, 8) == nullptr);
  CHECK(t.blocks.at(heap)->freed_at == 7);
}

TEST_CASE("a free comes before an access of the same thread, behind a barrier of both, and in a later launch") {
  heap_block b;
  const heap_moment freed{.block = 2, .launch = 1, .barriers = 3, .grid_barriers = 1, .thread = 5};
  const auto after = [&](auto change) {
    heap_moment now = freed;
    change(now);
    return b.is_freed_before(now);
  };
  CHECK_FALSE(after([](heap_moment&) {}));
  b.note_free(freed);
  CHECK(after([](heap_moment&) {}));
  CHECK_FALSE(after([](heap_moment& now) { now.thread = 6; }));
  CHECK(after([](heap_moment& now) { now.thread = 6, now.barriers = 4; }));
  CHECK_FALSE(after([](heap_moment& now) { now.block = 3, now.barriers = 4; }));
  CHECK(after([](heap_moment& now) { now.block = 3, now.grid_barriers = 2; }));
  CHECK(after([](heap_moment& now) { now = {.block = 9, .launch = 2}; }));
}

TEST_CASE("findings know a block by the kernel and the line that allocated it; blocks of one line have one id") {
  three_blocks t;
  const memory_region &first = t.blocks.region(*t.blocks.at(heap)), &second = t.blocks.region(*t.blocks.at(heap + 96)),
                      &third = t.blocks.region(*t.blocks.at(heap + 192));
  CHECK(first.name == "memory that k allocated at prog.cu:3");
  CHECK(first.id == second.id);
  CHECK(first.begin == heap);
  CHECK(second.begin == heap + 96);
  CHECK(third.name == "memory that l allocated at prog.cu:4");
  CHECK(third.id != first.id);
  CHECK(&t.blocks.region(*t.blocks.at(heap)) == &first);
}

TEST_CASE("leaks are told by line, once: bytes, blocks, and the threads that allocated them") {
  three_blocks t;
  t.blocks.add(heap + 256, 4, {3, "k", 1, 0, 6});
  t.blocks.add(heap + 288, 8, {});  // the emulator's own
  t.blocks.release(heap + 192, 9);
  const std::vector<heap_blocks::leak> leaks = t.blocks.take_leaks();
  REQUIRE(leaks.size() == 1);
  CHECK(leaks[0].where == 3);
  CHECK(leaks[0].name == "memory that k allocated at prog.cu:3");
  CHECK(leaks[0].blocks == 3);
  CHECK(leaks[0].bytes == 132);
  CHECK(leaks[0].threads == 2);
  CHECK(t.blocks.take_leaks().empty());
}

TEST_CASE("nothing is left when all is forgotten") {
  three_blocks t;
  t.blocks.clear();
  CHECK(t.blocks.find(heap) == nullptr);
  CHECK(t.blocks.take_leaks().empty());
}

TEST_CASE("blocks are found while others are added") {
  heap_blocks blocks;
  constexpr address count = 20'000;
  blocks.add(heap, 16, {});
  std::thread adds([&] {
    for (address i = 1; i < count; ++i) blocks.add(heap + i * 32, 16, {});
  });
  address found = 0;
  while (found < count)
    if (const heap_block* b = blocks.find(heap + found * 32)) {
      REQUIRE(b->begin == heap + found * 32);
      ++found;
    } else {
      std::this_thread::yield();
    }
  adds.join();
  CHECK(blocks.find(heap + count * 32) == nullptr);
}

}  // namespace simtlab::emulator::testing
