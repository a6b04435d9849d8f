#include "costs/foreign_reads.h"

#include <doctest/doctest.h>

#include "request_builder.h"

namespace simtlab::emulator::testing {
namespace {

/// One block's accesses to an array of shared memory at offset 0.
class one_block {
 public:
  one_block() {
    counted_.launch_begins({});
    counted_.block_begins({});
  }
  /// The lanes of `warp` access the words that `word` tells.
  template <class Word>
  void access_words(access kind, Word word, unsigned warp = 0, std::uint32_t width = 4) {
    request_builder b(memory_space::shared, kind, 5);
    b.warp(warp).width(width).lanes([&](unsigned lane) { return address{4} * word(lane); });
    counted_.request(b.get());
  }
  void next() { counted_.block_begins({}); }
  [[nodiscard]] std::uint64_t bytes() const { return counted_.bytes(); }

 private:
  foreign_reads counted_;
};

constexpr auto in_a_row = [](unsigned lane) { return lane; };
constexpr auto turned = [](unsigned lane) { return 31 - lane; };
constexpr auto first = [](unsigned) { return 0U; };

}  // namespace

TEST_CASE("what a thread stored itself is nobody else's") {
  one_block b;
  b.access_words(access::write, in_a_row);
  b.access_words(access::read, in_a_row);
  CHECK(b.bytes() == 0);
  b.access_words(access::read, turned);
  CHECK(b.bytes() == 32 * 4);
  b.access_words(access::read, first);
  CHECK(b.bytes() == 32 * 4 + 31 * 4);
  b.access_words(access::read, in_a_row, 1);
  CHECK(b.bytes() == 95 * 4);
}

TEST_CASE("dynamic shared memory, which lies far behind the rest, counts like it") {
  constexpr unsigned far = 1 << 22;  // words
  one_block b;
  b.access_words(access::write, [](unsigned lane) { return far - 8 + lane; });
  b.access_words(access::read, [](unsigned lane) { return far - 8 + lane; });
  CHECK(b.bytes() == 0);
  b.access_words(access::read, [](unsigned lane) { return far - 8 + 31 - lane; });
  CHECK(b.bytes() == 32 * 4);
}

TEST_CASE("who stored last counts, by an atomic operation, too") {
  one_block b;
  b.access_words(access::write, in_a_row);
  b.access_words(access::atomic, turned);
  CHECK(b.bytes() == 0);
  b.access_words(access::read, turned);
  CHECK(b.bytes() == 0);
  b.access_words(access::read, in_a_row);
  CHECK(b.bytes() == 32 * 4);
}

TEST_CASE("what nobody stored in this block is nobody's") {
  one_block b;
  b.access_words(access::read, turned);
  b.access_words(access::write, in_a_row);
  b.next();
  b.access_words(access::read, turned);
  CHECK(b.bytes() == 0);
}

TEST_CASE("a wide load counts word by word, a narrow store byte by byte") {
  one_block b;
  b.access_words(access::write, in_a_row);
  b.access_words(
      access::read, [](unsigned lane) { return lane & ~3U; }, 0, 16);
  CHECK(b.bytes() == 32 * 12);
  foreign_reads halves;
  request_builder stored(memory_space::shared, access::write, 5), read(memory_space::shared, access::read, 6);
  halves.request(stored.width(2).lanes([](unsigned lane) { return address{2} * lane; }).get());
  halves.request(read.width(2).lanes([](unsigned lane) { return address{2} * lane; }).get());
  CHECK(halves.bytes() == 0);
  halves.request(read.width(2).lanes([](unsigned lane) { return address{2} * (lane ^ 1); }).get());
  CHECK(halves.bytes() == 32 * 2);
}

}  // namespace simtlab::emulator::testing
