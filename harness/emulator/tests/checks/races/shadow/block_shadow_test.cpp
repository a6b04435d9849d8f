// What the shadow of one block's memory takes: counted in the tables themselves, whatever a process's memory is rounded up to.
#include "checks/races/shadow/block_shadow.h"

#include <doctest/doctest.h>

#include <array>
#include <random>
#include <vector>

#include "test_device.h"

namespace simtlab::emulator::testing {
namespace {

constexpr unsigned threads = 256;

/// The tables of one block, fed access by access.
class tables {
 public:
  /// One thread's access to a byte or a word; of writes the value is known.
  void touch(unsigned thread, access kind, address at, unsigned width, std::uint32_t value = 0) {
    const unsigned lane = thread % warp_size;
    request_builder b(memory_space::shared, kind, 1 + static_cast<site>(kind));
    b.width(width).warp(thread / warp_size).lane(lane, at).values([=](unsigned) { return value; });
    const warp_request& r = b.get();
    request_transitions steps(cache_, r.where, kind, width);
    block_shadow::request_cells cells(r, histories_.present(), steps);
    block_shadow::open_line line = histories_.open(lines_.line(at), cells.m, nullptr);
    histories_.touch(line, cells, at, width, {r.active, false, value << 8 * (at % 4)},
                     [this](const thread_conflict&, address) { ++conflicts; });
    touched_ = std::max(touched_, at + width);
  }
  /// Lanes of a warp access words in a row, in one step if `together` and it is known, else by one for each word.
  void touch_row(unsigned warp, access kind, address at, unsigned count, unsigned shift, lane_mask lanes,
                 bool together) {
    request_builder b(memory_space::shared, kind, 10 + static_cast<site>(kind));
    const warp_request& r = b.warp(warp).lane(0, at).get();
    request_transitions steps(cache_, r.where, kind, r.width);
    block_shadow::request_cells cells(r, histories_.present(), steps);
    block_shadow::open_line line = histories_.open(lines_.line(at), cells.m, nullptr);
    const auto told = [this](const thread_conflict& c, address where) {
      told_.push_back({where, c.lanes, c.from, c.a, c.b});
      ++conflicts;
    };
    const auto word = static_cast<unsigned>(at % shadow_line::bytes / 4);
    if (together && histories_.step_row(line.line, cells.m, cells.access, warp, {word, count, shift, lanes})) {
      ++rows_together;
      return;
    }
    for (unsigned i = 0; i < count; ++i)
      histories_.touch(line, cells, at + 4 * i, 4, {lanes << (i >> shift), kind == access::write, 0}, told);
  }
  void barrier() {
    order_.barrier();
    pieces_.reuse();
  }
  void syncwarp(unsigned warp) { order_.syncwarp(warp, full_warp, full_warp); }
  [[nodiscard]] const std::vector<std::array<std::uint64_t, 5>>& told() const { return told_; }
  /// Bytes of tables for each byte touched: the lines and all that they point to.
  [[nodiscard]] double per_byte() const {
    const std::size_t lines = touched_ / shadow_line::bytes;
    return static_cast<double>(lines * sizeof(shadow_line) + pieces_.values.in_use() * sizeof(line_values) +
                               pieces_.packed.in_use() * sizeof(line_words) +
                               pieces_.wide.in_use() * sizeof(wide_line_words)) /
           static_cast<double>(touched_);
  }
  [[nodiscard]] std::size_t shapes() const { return shapes_.size(); }
  int conflicts = 0, rows_together = 0;

 private:
  std::vector<std::array<std::uint64_t, 5>> told_;  // of rows: place, lanes, history, the threads
  interned_histories sets_;
  history_transition_cache cache_{sets_};
  barrier_epochs order_;
  shadow_slabs pieces_;
  shadow_states shapes_;
  shared_lines lines_;
  block_shadow histories_{order_, pieces_, shapes_};
  address touched_ = 0;
};

}  // namespace

TEST_CASE("a byte's shadow inside a block takes less than 4 bytes, whoever touches its neighbours") {
  constexpr address bytes = 1 << 16;
  SUBCASE("bytes of one word by four warps, first read, then written") {
    tables t;
    for (const access kind : {access::read, access::write}) {
      for (address word = 0; word < bytes / 4; ++word) {
        for (unsigned i = 0; i < 4; ++i)
          t.touch(static_cast<unsigned>(word) % 64 + 64 * i, kind, 4 * word + i, 1,
                  static_cast<std::uint32_t>(word * 7 + i));
      }
    }
    CHECK(t.conflicts == 0);
    CHECK(t.per_byte() < 2.2);
    CHECK(t.shapes() < 10);
  }
  SUBCASE("each byte by a thread that has nothing to do with its neighbours'") {
    tables t;
    std::mt19937 random(3);
    std::vector<unsigned> by(bytes);
    for (unsigned& thread : by) thread = static_cast<unsigned>(random() % threads);
    for (const access kind : {access::read, access::write})
      for (address at = 0; at < bytes; ++at) t.touch(by[at], kind, at, 1, static_cast<std::uint32_t>(random()));
    CHECK(t.conflicts == 0);
    CHECK(t.per_byte() < 3.3);
    for (address at = 0; at < bytes; ++at) t.touch((by[at] + 1) % threads, access::read, at, 1);
    CHECK(t.conflicts == bytes);
  }
  SUBCASE("words by threads far apart") {
    tables t;
    for (address at = 0; at < bytes; at += 4)
      t.touch(static_cast<unsigned>(at / (bytes / threads)), access::write, at, 4, static_cast<std::uint32_t>(at));
    CHECK(t.per_byte() < 2.2);
    CHECK(t.shapes() < 10);
  }
}

TEST_CASE("words in a row that take one step are told as words one by one") {
  std::mt19937 random(11);
  const auto below = [&random](unsigned n) { return static_cast<unsigned>(random() % n); };
  tables rows, words;
  for (int i = 0; i < 20'000; ++i) {
    if (below(40) == 0) {
      rows.barrier();
      words.barrier();
    }
    if (below(60) == 0) {
      const unsigned warp = below(4);
      rows.syncwarp(warp);
      words.syncwarp(warp);
    }
    const auto touch = [&](unsigned warp, access kind, address at, unsigned count, unsigned shift, lane_mask lanes) {
      words.touch_row(warp, kind, at, count, shift, lanes, false);
      rows.touch_row(warp, kind, at, count, shift, lanes, kind != access::write);
    };
    const address line = 128 * below(4);
    if (below(20) == 0) {  // threads in a row, but of two warps
      touch(0, access::read, line, 16, 0, 0x1'0000);
      touch(1, access::read, line + 64, 16, 0, 1);
    }
    const unsigned shift = below(3), piece = 1U << shift;
    const unsigned begin = below(3) == 0 ? below(4) * 4 : 0;  // in words; most rows begin where others do
    const unsigned pieces = 1 + below((32 - begin) / piece);
    const lane_mask masks[] = {1, 1, 0x1'0001, 0x8000'0001, 3, static_cast<lane_mask>(random())};
    const lane_mask lanes = masks[below(6)] & (full_warp >> (pieces - 1));
    const access kind = below(8) == 0 ? access::write : below(8) == 0 ? access::atomic : access::read;
    touch(below(4), kind, line + 4 * begin, pieces << shift, shift, lanes == 0 ? 1 : lanes);
  }
  CHECK(rows.rows_together > 1000);
  CHECK(rows.conflicts > 1000);
  CHECK(rows.told() == words.told());
}

TEST_CASE("shapes that no cell has any more are dropped, and the others stay") {
  single_block b(64);
  b.device.shared_array("x", 0, 32);
  const auto touch = [&](unsigned thread, access kind, site where, address at, std::uint32_t width) {
    b.run().access_by(thread, memory_space::shared, kind, where, at, 1, width);
  };
  touch(40, access::write, 10, 0, 4);
  touch(41, access::write, 11, 5, 1);
  touch(42, access::write, 12, 6, 1);
  for (int i = 0; i < 40'000; ++i) {
    touch(0, access::write, 20, 8, 4);
    b.run().syncwarp(0);
    touch(1, access::read, 21, 8, 4);
    b.run().syncwarp(0);
  }
  SUBCASE("clean") { CHECK(b.findings().empty()); }
  SUBCASE("what was done before is still known") {
    touch(0, access::read, 30, 0, 4);
    touch(0, access::read, 31, 5, 1);
    touch(0, access::read, 32, 6, 1);
    touch(42, access::read, 33, 6, 1);
    CHECK(identities(b.findings()) ==
          std::vector<std::string>{"shared-race 10-30 x", "shared-race 11-31 x", "shared-race 12-32 x"});
  }
}

}  // namespace simtlab::emulator::testing
