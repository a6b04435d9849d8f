#include "checks/races/shadow/interned_histories.h"

#include <doctest/doctest.h>

namespace simtlab::emulator::testing {
namespace {

constexpr labels a = label::block_a, b = label::block_b, c = label::first_block;

history_access make(site where, access kind, labels by, bool differs = false) { return {where, kind, 4, by, differs}; }

}  // namespace

TEST_CASE("equal histories have one id, however they came about") {
  interned_histories sets;
  const auto read = make(1, access::read, a), write = make(2, access::write, a);
  const history_id one = sets.add(sets.add(no_history, read).next, write).next;
  const history_id two = sets.add(sets.add(no_history, write).next, read).next;
  CHECK(one == two);
  CHECK(sets.add(one, read).next == one);
  CHECK(one != no_history);
}

TEST_CASE("which pairs conflict: one plain write, or exactly one atomic, by two agents") {
  constexpr access kinds[] = {access::read, access::write, access::atomic};
  for (const access first : kinds) {
    for (const access second : kinds) {
      interned_histories sets;
      const history_id from = sets.add(no_history, make(1, first, a)).next;
      const bool harmless = first == second && first != access::write;
      CHECK_FALSE(sets.add(from, make(2, second, a)).conflicts);
      CHECK(sets.add(from, make(2, second, b)).conflicts == !harmless);
    }
  }
}

TEST_CASE("a pair is told once: when it begins to conflict") {
  interned_histories sets;
  history_id s = sets.add(no_history, make(1, access::write, a, true)).next;
  const auto read = make(2, access::read, b);
  history_transition step = sets.add(s, read);
  REQUIRE(step.conflicts);
  const auto told = sets.conflicts(s, read);
  REQUIRE(told.size() == 1);
  CHECK(told[0].earlier.where == 1);
  CHECK(told[0].earlier_by == a);
  CHECK(told[0].later.where == 2);
  CHECK_FALSE(told[0].same_value);
  CHECK_FALSE(sets.add(step.next, read).conflicts);
  CHECK_FALSE(sets.add(step.next, make(2, access::read, c)).conflicts);
}

TEST_CASE("writes of one value conflict mildly, and again when a value differs") {
  interned_histories sets;
  history_id s = sets.add(no_history, make(1, access::write, a)).next;
  const auto same = make(1, access::write, b);
  REQUIRE(sets.add(s, same).conflicts);
  CHECK(sets.conflicts(s, same)[0].same_value);
  s = sets.add(s, same).next;
  const auto other = make(3, access::read, a, true);
  REQUIRE(sets.add(s, other).conflicts);
  const auto told = sets.conflicts(s, other);
  CHECK(told.size() == 2);  // the two writes, and the read with the write of B
  for (const auto& t : told) CHECK_FALSE(t.same_value);
}

TEST_CASE("two labels of an entry are enough: a third block changes nothing") {
  interned_histories sets;
  const history_id s = sets.add(sets.add(no_history, make(1, access::read, a)).next, make(1, access::read, b)).next;
  CHECK(sets.is_saturated(s, make(1, access::read, 0)));
  CHECK_FALSE(sets.is_saturated(s, make(2, access::read, 0)));
  CHECK(sets.add(s, make(1, access::read, c)).next == s);
}

TEST_CASE("accesses of the home warp that are ordered before conflict with other warps only") {
  interned_histories sets;
  history_id s = sets.add(no_history, make(1, access::write, label::thread_a, true)).next;
  s = sets.before(s);
  CHECK_FALSE(sets.add(s, make(2, access::read, label::thread_a)).conflicts);
  CHECK_FALSE(sets.add(s, make(2, access::read, label::thread_other)).conflicts);
  CHECK(sets.add(s, make(2, access::read, label::foreign_b)).conflicts);
}

TEST_CASE("when the ids run out it is said, and conflicts are still told") {
  interned_histories sets;
  for (site where = 1; where < 70'000; ++where) (void)sets.add(no_history, make(where, access::read, a));
  CHECK(sets.is_exhausted());
  const history_id write = sets.add(no_history, make(1, access::read, a)).next;
  CHECK(sets.add(write, make(80'000, access::write, b)).conflicts);
  const auto generation = sets.generation();
  sets.restart();
  CHECK_FALSE(sets.is_exhausted());
  CHECK(sets.generation() != generation);
}

TEST_CASE("the cache of steps says what the sets say, also after a restart") {
  interned_histories sets;
  history_transition_cache cache(sets);
  for (int round = 0; round < 3; ++round) {
    for (site where = 1; where < 700; ++where) {
      const auto access =
          make(where, where % 3 == 0 ? access::write : access::read, where % 2 == 0 ? a : b, where % 5 == 0);
      const history_id from = cache.add(no_history, make(7, access::write, a)).next;
      CHECK(cache.add(from, access).next == sets.add(from, access).next);
      CHECK(cache.add(from, access).conflicts == sets.add(from, access).conflicts);
      CHECK(cache.before(from) == sets.before(from));
      CHECK(cache.is_saturated(from, access) == sets.is_saturated(from, access));
    }
    for (site where = 1; where < 40'000; ++where) (void)sets.add(no_history, make(where, access::read, a));
    sets.restart();
  }
}

}  // namespace simtlab::emulator::testing
