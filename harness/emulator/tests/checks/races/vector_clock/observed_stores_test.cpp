#include "checks/races/vector_clock/observed_stores.h"

#include <doctest/doctest.h>

namespace simtlab::emulator {
namespace {

constexpr sync_location value{64, 0}, flag{128, 0}, other{192, 0};
constexpr unsigned reader = 5, writer = 7;
constexpr std::uint64_t block = 3;

/// A store to `where` behind what the writer did before `until`, and its block before `block_until`.
observed_store stored(const sync_location& where, logical_time until, logical_time block_until = 0) {
  return {block, writer, until, block_until, where};
}

}  // namespace

TEST_CASE("a store that was seen comes behind what its thread did before, and not behind what it did since") {
  observed_stores seen;
  CHECK_FALSE(seen.is_before_one(reader, block, writer, 1, value));
  seen.add(reader, stored(flag, 4));
  CHECK(seen.is_before_one(reader, block, writer, 3, value));
  CHECK_FALSE(seen.is_before_one(reader, block, writer, 4, value));
  CHECK_FALSE(seen.is_before_one(reader, block, writer + 1, 3, value));
  CHECK_FALSE(seen.is_before_one(reader, block + 1, writer, 3, value));
  CHECK_FALSE(seen.is_before_one(reader + 1, block, writer, 3, value));
}

TEST_CASE("what all threads of the writer's block did before a barrier comes before its store, too") {
  observed_stores seen;
  seen.add(reader, stored(flag, 6, 4));
  CHECK(seen.is_before_one(reader, block, writer + 1, 3, value));
  CHECK_FALSE(seen.is_before_one(reader, block, writer + 1, 4, value));
  CHECK(seen.is_before_one(reader, block, writer, 5, value));
}

TEST_CASE("of a place itself the latest value is read, so that its own stores tell nothing of older ones") {
  observed_stores seen;
  seen.add(reader, stored(flag, 4));
  CHECK_FALSE(seen.is_before_one(reader, block, writer, 3, flag));
  seen.add(reader, stored(value, 6));
  CHECK(seen.is_before_one(reader, block, writer, 5, flag));
  CHECK(seen.is_before_one(reader, block, writer, 3, value));
  CHECK_FALSE(seen.is_before_one(reader, block, writer, 5, value));
  seen.add(reader, stored(other, 5));
  CHECK(seen.is_before_one(reader, block, writer, 4, value));
}

TEST_CASE("behind a block barrier all threads have seen what one of them has") {
  observed_stores seen;
  seen.add(reader, stored(flag, 4));
  seen.add(reader, stored(value, 6));
  seen.share();
  CHECK(seen.is_before_one(reader + 1, block, writer, 5, other));
  CHECK(seen.is_before_one(reader + 1, block, writer, 3, value));
  CHECK_FALSE(seen.is_before_one(reader + 1, block, writer, 5, value));
}

}  // namespace simtlab::emulator
