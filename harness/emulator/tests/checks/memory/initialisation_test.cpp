#include "checks/memory/initialisation.h"

#include <doctest/doctest.h>

#include <random>

#include "report/source_map.h"
#include "test_device.h"

namespace simtlab::emulator::testing {
namespace {

using names = std::vector<std::string>;

}  // namespace

TEST_CASE("shared memory read before any thread of the block wrote it, with the element's name") {
  single_block b(32);
  b.device.shared_array("tile", 64, 128);
  b.run().request(request_builder(shared, access::write, 5)
                      .lanes([](unsigned l) { return l < 31 ? std::optional<address>(64 + 4 * l) : std::nullopt; })
                      .values([](unsigned l) { return l; }));
  b.run().barrier();
  b.run().request(request_builder(shared, access::read, 6).lanes([](unsigned l) { return 64 + 4 * l; }));
  const auto found = b.findings();
  REQUIRE(identities(found) == names{"uninitialised-shared 0-6 tile"});
  CHECK(found[0].first.thread.x == 31);
  CHECK(found[0].first.action == "reads tile[31]");
  CHECK(found[0].count == 1);
}

TEST_CASE("what another thread stores before the next barrier is a race's, not unset; what only the reader stores is") {
  single_block b(32);
  b.device.shared_array("tile", 0, 128);
  b.run().access_by(0, shared, access::read, 5, 4);  // thread 1 stores there, but later
  b.run().access_by(1, shared, access::write, 6, 4, 7);
  b.run().access_by(2, shared, access::read, 7, 8);  // nobody else ever does
  b.run().access_by(2, shared, access::write, 8, 8, 7);
  const auto found = b.findings();
  CHECK(identities(found) == names{"shared-race 5-6 tile", "uninitialised-shared 0-7 tile"});
}

TEST_CASE("two rows of a matrix in one request: what lies between them may be unset, each of them may not") {
  const auto two_rows = [](address begin) {
    return [begin](unsigned l) { return std::optional<address>(begin + l / 16 * 256 + 4 * (l % 16)); };
  };
  for (const memory_space space : {shared, global}) {
    single_block b(32);
    const address m = space == global ? b.device.allocate("m", 1024, false) : 0;
    if (space == shared) b.device.shared_array("m", 0, 1024);
    const auto at = [&](access kind, site where, address begin) {
      b.run().request(
          request_builder(space, kind, where).lanes(two_rows(m + begin)).values([](unsigned l) { return l; }));
    };
    at(access::write, 5, 0);
    b.run().barrier();
    at(access::read, 6, 0);
    at(access::read, 7, 4);  // the 16th element of each row
    const auto found = b.findings();
    const std::string rule = space == shared ? "uninitialised-shared" : "uninitialised-global";
    REQUIRE(identities(found) == names{rule + " 0-7 m"});
    CHECK(found[0].count == 2);
  }
}

TEST_CASE("each block's shared memory starts unset") {
  test_device d;
  d.shared_array("tile", 0, 128);
  d.begin_launch({2, 1, 1}, {32, 1, 1});
  test_worker w(d);
  w.begin_block(0);
  w.access_by(0, shared, access::write, 5, 0);
  w.access_by(0, shared, access::read, 6, 0);
  w.end_block();
  w.begin_block(1);
  w.access_by(0, shared, access::read, 7, 0);
  w.end_block();
  w.end_launch();
  CHECK(identities(d.findings()) == names{"uninitialised-shared 0-7 tile"});
}

TEST_CASE("a request that repeats is judged as one that does not, whatever of its variable is set by then") {
  for (unsigned seed = 1; seed <= 40; ++seed) {
    std::vector<std::string> found[2];
    for (const bool repeats : {false, true}) {
      test_device d;
      d.shared_array("first", 24, 296);
      d.shared_array("second", 320, 64);
      d.begin_launch({3, 1, 1}, {32, 1, 1});
      test_worker w(d);
      std::mt19937 random(seed);
      for (unsigned block = 0; block < 3; ++block) {
        w.begin_block(block);
        for (unsigned barrier = 0; barrier < 4; ++barrier) {
          for (unsigned n = 0; n < 60; ++n) {
            const bool stores = random() % 3 != 0;
            const std::uint32_t width = stores ? 8 : random() % 2 == 0 ? 1 : 4;
            const auto lane = static_cast<unsigned>(random() % 4);
            const address at = random() % 4 == 0 ? 320 + random() % 8 * 8 : 24 + random() % 37 * 8;
            w.request(
                request_builder(shared, stores ? access::write : access::read, (stores ? 100 : 200 + 10 * width) + lane)
                    .width(width)
                    .lane(lane, at)
                    .values([](unsigned) { return 1; })
                    .repeats(repeats));
          }
          w.barrier();
        }
        w.end_block();
      }
      w.end_launch();
      for (const finding& f : d.findings())
        found[repeats].push_back(f.first.action + " " + std::to_string(f.count) + " " + f.message);
    }
    CAPTURE(seed);
    CHECK(!found[false].empty());
    CHECK(found[false] == found[true]);
  }
}

TEST_CASE("one bit a byte: the other three bytes of a word stay unset, and a read of all four finds the one") {
  single_block b(32);
  b.device.shared_array("text", 0, 8);
  b.run().access_by(0, shared, access::write, 5, 1, 'a', 1);
  b.run().access_by(0, shared, access::read, 6, 1, 0, 1);
  b.run().access_by(0, shared, access::read, 7, 0, 0, 4);
  b.run().access_by(0, shared, access::read, 8, 2, 0, 1);
  CHECK(identities(b.findings()) == names{"uninitialised-shared 0-8 text"});
}

TEST_CASE("a structure is read with its padding: unset is what has no byte that is set") {
  constexpr site machine = source_map::first_machine_site + 10;
  for (const memory_space space : {shared, global}) {
    single_block b(32);
    const address m = space == global ? b.device.allocate("m", 64, false) : 0;
    if (space == shared) b.device.shared_array("m", 0, 64);
    b.run().access_by(0, space, access::write, 5, m, 1, 4);
    b.run().access_by(0, space, access::read, machine, m, 0, 16);
    b.run().access_by(0, space, access::atomic, machine + 1, m, 1, 8);
    b.run().access_by(0, space, access::read, machine + 2, m + 16, 0, 16);
    b.run().access_by(0, space, access::read, 6, m, 0, 16);
    CHECK(b.findings().size() == 1);
  }
}

TEST_CASE("an unset read of what another thread stores before the next barrier is told as the race that it is") {
  for (const memory_space space : {shared, global}) {
    for (const bool has_barrier : {false, true}) {
      single_block b(32);
      const address x = space == global ? b.device.allocate("tile", 128, false) : 0;
      if (space == shared) b.device.shared_array("tile", 0, 128);
      b.run().access_by(0, space, access::read, 5, x + 4);
      if (has_barrier) b.run().barrier();
      b.run().access_by(1, space, access::write, 6, x + 4);
      const std::string name = space == shared ? "shared" : "global";
      CHECK(identities(b.findings()) ==
            (has_barrier ? names{"uninitialised-" + name + " 0-5 tile"} : names{name + "-race 5-6 tile"}));
    }
  }
}

TEST_CASE("an unset read is told where a __syncwarp() lies between it and another lane's store") {
  for (const memory_space space : {shared, global}) {
    for (const lane_mask mask : {full_warp, lane_mask{0b10}}) {
      single_block b(32);
      const address x = space == global ? b.device.allocate("tile", 128, false) : 0;
      if (space == shared) b.device.shared_array("tile", 0, 128);
      b.run().access_by(0, space, access::read, 5, x + 4);
      b.run().syncwarp(0, mask);
      b.run().access_by(1, space, access::write, 6, x + 4);
      const std::string name = space == shared ? "shared" : "global";
      CHECK(identities(b.findings()) ==
            (mask == full_warp ? names{"uninitialised-" + name + " 0-5 tile"} : names{name + "-race 5-6 tile"}));
    }
  }
}

TEST_CASE("an atomic on unset memory is told, and leaves it set") {
  single_block b(32);
  b.device.shared_array("bins", 0, 4);
  const address total = b.device.allocate("total", 4, false);
  for (unsigned t = 0; t < 4; ++t) {
    b.run().access_by(t, shared, access::atomic, 5, 0);
    b.run().access_by(t, global, access::atomic, 6, total);
  }
  const auto found = b.findings();
  CHECK(identities(found) == names{"uninitialised-global 0-6 total", "uninitialised-shared 0-5 bins"});
  for (const finding& f : found) CHECK(f.count == 1);
}

TEST_CASE("global memory is set by the host, by an earlier launch or by the block itself") {
  test_device d;
  const address x = d.allocate("x", 64, false);
  d.shared.initialised().mark(x, 4);
  for (int launch = 0; launch < 2; ++launch) {
    d.begin_launch({1, 1, 1}, {32, 1, 1});
    test_worker w(d);
    w.begin_block(0);
    w.access_by(0, global, access::read, 5, x);
    if (launch == 0) w.access_by(0, global, access::write, 6, x + 4);
    w.access_by(0, global, access::read, 7, x + 4);
    if (launch == 1) w.access_by(0, global, access::read, 8, x + 8);
    w.end_block();
    w.end_launch();
  }
  const auto found = d.findings();
  REQUIRE(identities(found) == names{"uninitialised-global 0-8 x"});
  CHECK(found[0].first.action == "reads x[2]");
}

TEST_CASE("reading what another block stores is no uninitialised read, in either order of the blocks") {
  for (const bool writer_first : {true, false}) {
    test_device d;
    const address x = d.allocate("x", 64, false);
    d.begin_launch({2, 1, 1}, {32, 1, 1});
    test_worker w(d);
    for (const unsigned block : {writer_first ? 0U : 1U, writer_first ? 1U : 0U}) {
      w.begin_block(block);
      if (block == 0) w.access_by(0, global, access::write, 5, x);
      if (block == 1) w.access_by(0, global, access::read, 6, x);
      if (block == 1) w.access_by(0, global, access::read, 7, x + 4);
      w.end_block();
    }
    w.end_launch();
    CHECK(identities(d.findings()) == names{"global-race 5-6 x", "uninitialised-global 0-7 x"});
  }
}

TEST_CASE("what a block reads and only later writes itself is told") {
  single_block b(32);
  const address x = b.device.allocate("x", 4, false);
  b.run().access_by(0, global, access::read, 5, x);
  b.run().access_by(0, global, access::write, 5, x);
  CHECK(identities(b.findings()) == names{"uninitialised-global 0-5 x"});
}

TEST_CASE("lanes far apart are each looked at") {
  single_block b(32);
  const address x = b.device.allocate("x", 1 << 20, false);
  b.run().request(request_builder(global, access::write, 5).lanes([=](unsigned l) { return x + 4096 * l; }));
  b.run().barrier();
  b.run().request(request_builder(global, access::read, 6).lanes([=](unsigned l) { return x + 4096 * l; }));
  b.run().request(
      request_builder(global, access::read, 7).lanes([=](unsigned l) { return x + 4096 * l + (l == 9 ? 4 : 0); }));
  const auto found = b.findings();
  REQUIRE(identities(found) == names{"uninitialised-global 0-7 x"});
  CHECK(found[0].first.thread.x == 9);
}

}  // namespace simtlab::emulator::testing
