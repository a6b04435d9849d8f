// What observers are told of requests that repeat, against what each request says by itself.
#include "trace/request_emitter.h"

#include <doctest/doctest.h>

#include <array>
#include <bit>
#include <functional>
#include <random>
#include <vector>

#include "costs/request_costs.h"

namespace simtlab::emulator::testing {
namespace {

constexpr address heap = 0x100000, constants = 0x200000, statics = 0x300010, dynamics = 0x400000, stacks = 0x500000,
                  elsewhere = 0x900000;
constexpr std::uint64_t stack = 0x800;  // of one lane

class recorder : public observer {
 public:
  explicit recorder(detail wanted) : wanted_(wanted) {}
  [[nodiscard]] detail request_detail() const override { return wanted_; }
  [[nodiscard]] detail step_detail() const override { return wanted_; }
  void request(const warp_request& r) override {
    told.push_back(r);
    firsts.push_back(r.addresses[static_cast<unsigned>(std::countr_zero(r.active))]);
  }
  void repeated(std::uint32_t pattern_id, std::uint64_t times) override {
    REQUIRE(!told.empty());
    CHECK(pattern_id == told.back().pattern_id);
    repetitions += times;
  }
  void step(const warp_step&) override { ++steps_told; }
  void steps(std::uint64_t all, std::uint64_t divergent) override {
    steps_told += all;
    divergent_told += divergent;
  }
  std::vector<warp_request> told;  // their addresses are gone
  std::vector<address> firsts;     // of the lowest lanes
  std::uint64_t repetitions = 0, steps_told = 0, divergent_told = 0;

 private:
  detail wanted_;
};

/// Wants nothing but the entries of a part of the lanes.
class branch_recorder : public observer {
 public:
  [[nodiscard]] detail request_detail() const override { return detail::none; }
  [[nodiscard]] bool wants_divergent_steps() const override { return true; }
  void divergent_step(const warp_step& s) override { told.push_back(s); }
  std::vector<warp_step> told;
};

/// Works out the cost of each request by itself.
class each_cost : public observer {
 public:
  void request(const warp_request& r) override { table.add(r, cost_of(r)); }
  counter_table table;
};

struct emulated_memory {
  memory_map map;
  address_layout layout;
  request_emitter emitter{map, 1000};

  emulated_memory() {
    map.add({0, memory_space::global, heap, 4096, "a", true});
    map.add({0, memory_space::global, heap + 4096 + 64, 4096, "b", true});
    map.add({0, memory_space::constant, constants, 1024, "c", true});
    map.add({0, memory_space::shared, 32, 2048, "s", true});
    map.add({0, memory_space::shared, 0x10000, 2048, "d", true});
    layout.global = {heap, heap + 0x10000};
    layout.constant = {constants, constants + 0x10000};
    layout.static_shared = {statics, statics + 0x1000};
    layout.dynamic_shared = {dynamics, dynamics + 0x1000};
    layout.dynamic_shared_offset = 0x10000 - 64;
    layout.local = {stacks, stacks + warp_size * stack};
    layout.stacks = {stacks, stack, warp_size};
  }
  void emit(record_key key, lane_mask active, const std::function<address(unsigned)>& at) {
    std::array<address, warp_size> addresses;
    for (unsigned l = 0; l < warp_size; ++l) addresses[l] = (active >> l & 1) != 0 ? at(l) : 0xdead;
    emitter.emit(key, 0, active, addresses.data(), nullptr, full_warp);
  }
};

constexpr record_key read4 = make_key(7, 4, record_kind::read, 0);

}  // namespace

TEST_CASE("a pattern is told once, and how often it came again before another is told and when all is settled") {
  emulated_memory m;
  recorder sums(detail::aggregate), each(detail::full);
  m.emitter.prepare(m.layout, {&sums, &each});
  for (unsigned i = 0; i < 5; ++i) m.emit(read4, full_warp, [=](unsigned l) { return statics + 32 + 4 * i + 4 * l; });
  CHECK(sums.told.size() == 1);
  CHECK(sums.repetitions == 0);
  m.emit(read4, full_warp, [](unsigned l) { return statics + 32 + 8 * l; });
  CHECK(sums.told.size() == 2);
  CHECK(sums.repetitions == 4);
  m.emit(read4, full_warp, [](unsigned l) { return statics + 32 + 8 * l; });
  m.emitter.settle();
  m.emitter.settle();
  CHECK(sums.repetitions == 5);
  REQUIRE(each.told.size() == 7);
  for (unsigned i = 0; i < 7; ++i) {
    CHECK(each.told[i].repeats == (i != 0 && i != 5));
    CHECK(each.firsts[i] == 32 + (i < 5 ? 4 * i : 0));  // in the shared window
  }
}

TEST_CASE("what a request's cost or its checks depend on makes it another") {
  emulated_memory m;
  recorder sums(detail::aggregate);
  m.emitter.prepare(m.layout, {&sums});
  const auto from = [](address first) { return [=](unsigned l) { return first + 4 * l; }; };
  const auto is_new = [&](auto&&... request) {
    const std::size_t before = sums.told.size();
    m.emit(request...);
    return sums.told.size() > before;
  };
  CHECK(is_new(read4, full_warp, from(heap)));
  CHECK_FALSE(is_new(read4, full_warp, from(heap + 128)));
  CHECK(is_new(read4, full_warp, from(heap + 32)));           // of the line it takes other sectors
  CHECK(is_new(read4, 0xffff, from(heap + 32)));              // other lanes
  CHECK_FALSE(is_new(read4, 0xffff, from(heap + 32 + 128)));  // whatever the others hold
  CHECK(is_new(read4, 0xffff, from(heap + 4096 + 64 + 96)));  // another variable, at the same place in a line
  CHECK(is_new(read4, full_warp, from(heap + 4096 - 128)));
  CHECK(is_new(read4, full_warp, from(heap + 4096)));  // past its end
  CHECK(is_new(read4, full_warp, from(heap + 4096)));  // each time
  CHECK(is_new(make_key(7, 4, record_kind::write, 0), full_warp, from(heap)));
  CHECK(is_new(make_key(7, 4, record_kind::write, 1), full_warp, from(heap)));  // in a deeper call
  const auto own = [](address offset) { return [=](unsigned l) { return stacks + stack * l + offset; }; };
  CHECK(is_new(read4, full_warp, own(0)));
  CHECK_FALSE(is_new(read4, full_warp, own(1024)));
  CHECK(is_new(read4, 0xffff, own(0)));
  CHECK(is_new(read4, 0xffff, own(stack)));  // each lane on the next one's stack
  CHECK_FALSE(m.emitter.take_touched_host());
  CHECK(is_new(read4, full_warp, from(elsewhere)));
  CHECK(is_new(read4, full_warp, from(elsewhere)));
  CHECK(m.emitter.take_touched_host());
}

TEST_CASE("each piece of a structure repeats by itself") {
  emulated_memory m;
  recorder each(detail::full);
  m.emitter.prepare(m.layout, {&each});
  for (unsigned i = 0; i < 3; ++i)
    m.emit(make_key(7, width_in_pieces(12, 4), record_kind::read, 0), full_warp,
           [=](unsigned l) { return heap + 128 * i + 12 * l; });
  REQUIRE(each.told.size() == 9);
  for (unsigned i = 0; i < 9; ++i) {
    CHECK(each.told[i].repeats == (i >= 3));
    CHECK(each.told[i].width == 4);
    CHECK(each.told[i].whole == 12);
    CHECK(each.told[i].offset == 4 * (i % 3));
    CHECK(each.firsts[i] == heap + 128 * (i / 3) + 4 * (i % 3));
  }
}

TEST_CASE("a launch begins with nothing that could repeat") {
  emulated_memory m;
  for (unsigned launch = 0; launch < 2; ++launch) {
    recorder sums(detail::aggregate);
    m.emitter.prepare(m.layout, {&sums});
    m.emit(read4, full_warp, [](unsigned) { return heap; });
    CHECK(sums.told.size() == 1);
    m.emit(read4, full_warp, [](unsigned) { return heap; });
    CHECK(sums.told.size() == 1);  // the second is told by nobody when the launch is not settled
  }
}

TEST_CASE("steps are told one by one, as sums, or not at all") {
  emulated_memory m;
  recorder sums(detail::aggregate), each(detail::full), none(detail::none);
  branch_recorder branches;
  m.emitter.prepare(m.layout, {&sums, &each, &none, &branches});
  const std::array<record_key, 2> rows{make_key(3, 0, record_kind::step, 0), make_key(4, 0, record_kind::step, 0)};
  std::array<address, 2 * warp_size> addresses{};
  m.emitter.emit_rows(rows.data(), addresses.data(), rows.size(), 0, full_warp);
  m.emitter.emit(rows[0], 0, 0xff, addresses.data(), nullptr, full_warp);
  CHECK(sums.steps_told == 0);
  m.emitter.settle();
  CHECK(sums.steps_told == 3);
  CHECK(sums.divergent_told == 1);
  CHECK(each.steps_told == 3);
  CHECK(none.steps_told == 0);
  REQUIRE(branches.told.size() == 1);
  CHECK(branches.told[0].active == 0xff);
  CHECK(branches.told[0].together == full_warp);
}

TEST_CASE("lanes that ask for different places of their own stacks have an index that no register has") {
  emulated_memory m;
  recorder each(detail::full);
  m.emitter.prepare(m.layout, {&each});
  const auto is_indexed = [&](lane_mask active, const std::function<address(unsigned)>& place) {
    m.emit(read4, active,
           [&](unsigned l) { return stacks + stack * (l + 1) - lane_stacks::unused_at_top(l) - 64 + place(l); });
    return each.told.back().is_indexed;
  };
  CHECK_FALSE(is_indexed(full_warp, [](unsigned) { return 32; }));
  CHECK(is_indexed(full_warp, [](unsigned l) { return 4 * (l % 16); }));
  CHECK(is_indexed(0xff00, [](unsigned l) { return l == 9 ? 4 : 0; }));
  CHECK_FALSE(is_indexed(0xff00, [](unsigned) { return 4; }));
  CHECK_FALSE(is_indexed(1, [](unsigned) { return 12; }));
}

TEST_CASE(
    "a lane on another lane's stack is seen, also where its request looks like the one before, which was in order") {
  emulated_memory m;
  announce(m.layout.stacks);
  m.emitter.prepare(m.layout, {});
  const auto seen = [&m](lane_mask active, std::int64_t lanes_further, address offset) {
    m.emit(read4, active, [=](unsigned l) { return stacks + stack * (l + lanes_further) + offset; });
    return m.emitter.take_touched_foreign_local();
  };
  CHECK_FALSE(seen(full_warp, 0, 64));
  CHECK_FALSE(seen(full_warp, 0, 0));
  CHECK_FALSE(seen(full_warp, 0, stack - 4));
  CHECK(seen(0xffff, 1, 64));
  CHECK(seen(0xffff, 1, 64));
  CHECK_FALSE(seen(0xffff, 0, 64));
  CHECK(seen(0xfff0, -1, 64));
  CHECK(seen(0x0100, 3, 0));
  withdraw(m.layout.stacks);
  CHECK_FALSE(is_on_lane_stack(stacks));
}

TEST_CASE("counters of sums are those of each request by itself, on random requests") {
  for (unsigned seed = 0; seed < 200; ++seed) {
    CAPTURE(seed);
    std::mt19937 random(seed);
    const auto below = [&random](unsigned n) { return static_cast<unsigned>(random() % n); };
    emulated_memory m;
    each_cost each;
    request_costs sums;
    std::vector<record_key> keys;
    std::vector<std::uint64_t> rows;
    lane_mask active = full_warp;
    m.emitter.prepare(m.layout, {&each, &sums});
    constexpr std::array bases{heap, heap + 4096 + 64, constants, statics + 32, dynamics + 64, stacks, elsewhere};
    for (unsigned segment = 0; segment < 30; ++segment) {
      keys.clear();
      rows.clear();
      if (below(4) == 0) active = below(2) == 0 ? full_warp : static_cast<lane_mask>(random()) | 1U << below(32);
      for (unsigned i = 0; i < 12; ++i) {
        const site where = 10 + below(4);  // pieces of one meet in the next one's place
        const unsigned shape = where + below(8) / 7, width = 1U << shape % 5, stride = width * (shape % 3);
        if (below(4) == 0) {
          keys.push_back(make_key(where, 0, record_kind::step, 0));
        } else {
          const std::uint32_t whole = where == 11 ? width_in_pieces(3 * width, width) : width;
          keys.push_back(make_key(where, whole, below(9) == 0 ? record_kind::write : record_kind::read,
                                  static_cast<std::uint8_t>(below(12) / 11)));
        }
        const address base = bases[(shape + below(10) / 9) % bases.size()] + width * below(40);
        const unsigned odd_lane = below(9) == 0 ? below(32) : warp_size;
        for (unsigned l = 0; l < warp_size; ++l)
          rows.push_back(l == odd_lane ? bases[below(bases.size())] : base + stride * l);
      }
      if (below(3) > 0) {
        m.emitter.emit_rows(keys.data(), rows.data(), keys.size(), 0, active);
      } else {
        for (std::size_t i = 0; i < keys.size(); ++i)
          m.emitter.emit(keys[i], 0, active, rows.data() + i * warp_size, nullptr, full_warp);
      }
    }
    m.emitter.settle();
    const auto line_of = [](site s) { return source_line{"k.cu", static_cast<int>(s)}; };
    const auto name_of = [&m](variable_id v) { return m.map.name(v); };
    const auto expected = each.table.resolve(line_of, name_of), found = sums.table().resolve(line_of, name_of);
    REQUIRE(expected.size() == found.size());
    for (std::size_t i = 0; i < found.size(); ++i) {
      const request_counters &a = expected[i].counters, &b = found[i].counters;
      CAPTURE(i);
      CHECK(expected[i].where == found[i].where);
      CHECK(expected[i].variable == found[i].variable);
      CHECK(a.requests == b.requests);
      CHECK(a.lanes == b.lanes);
      CHECK(a.bytes == b.bytes);
      CHECK(a.sectors == b.sectors);
      CHECK(a.ideal_sectors == b.ideal_sectors);
      CHECK(a.lines == b.lines);
      CHECK(a.wavefronts == b.wavefronts);
      CHECK(a.ideal_wavefronts == b.ideal_wavefronts);
      CHECK(a.largest_wavefronts == b.largest_wavefronts);
      CHECK(a.distinct_words == b.distinct_words);
    }
  }
}

}  // namespace simtlab::emulator::testing
