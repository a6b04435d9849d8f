// The findings as people read them, one golden file for each situation. SIMTLAB_UPDATE_GOLDEN=1 rewrites them.
#include <doctest/doctest.h>

#include <cstdlib>
#include <fstream>
#include <sstream>

#include "report/finding_layout.h"
#include "test_device.h"

namespace simtlab::emulator::testing {
namespace {

void compare_with_golden(const std::string& name, const std::vector<finding>& findings) {
  const std::string path = std::string(SIMTLAB_GOLDEN "/findings/") + name + ".txt";
  const std::string text = findings_text(findings);
  if (std::getenv("SIMTLAB_UPDATE_GOLDEN") != nullptr) std::ofstream(path) << text;
  std::ifstream in(path);
  REQUIRE_MESSAGE(in, path);
  std::stringstream expected;
  expected << in.rdbuf();
  CHECK(text == expected.str());
}

}  // namespace

TEST_CASE("a barrier is missing between writing and reading a tile") {
  single_block b(64);
  b.device.shared_array("tile", 0, 256);
  for (unsigned t = 0; t < 64; ++t) b.run().access_by(t, shared, access::write, 12, 4 * t, t);
  b.run().access_by(0, shared, access::read, 13, 4 * 63);
  compare_with_golden("shared_race", b.findings());
}

TEST_CASE("two arrays overlap in dynamic shared memory; in static memory, or in one line, nothing is said of it") {
  const auto told = [](address begin, int second_line) {
    single_block b(64);
    b.device.shared_array("both", begin, 512);
    for (unsigned t = 0; t < 64; ++t) b.run().access_by(t, shared, access::write, 12, begin + 4 * t, t);
    b.run().access_by(0, shared, access::write, second_line, begin + 4 * 32, 7);
    const auto found = b.findings();
    REQUIRE(found.size() == 1);
    CHECK(found[0].what == rule::shared_race);
    return found[0].message.find("the arrays overlap") != std::string::npos;
  };
  CHECK(told(dynamic_shared_window, 13));
  CHECK_FALSE(told(0, 13));
  CHECK_FALSE(told(dynamic_shared_window, 12));
}

TEST_CASE("lanes of one warp exchange values without __syncwarp") {
  single_block b(32);
  b.device.shared_array("partial", 0, 128);
  for (unsigned t = 0; t < 32; ++t) b.run().access_by(t, shared, access::write, 12, 4 * t, t);
  b.run().access_by(0, shared, access::read, 13, 4 * 16);
  compare_with_golden("race_in_warp", b.findings());
}

TEST_CASE("lanes of one warp exchange values in a block that has more warps") {
  single_block b(64);
  b.device.shared_array("partial", 0, 256);
  for (unsigned t = 0; t < 64; ++t) b.run().access_by(t, shared, access::write, 12, 4 * t, t);
  b.run().access_by(0, shared, access::read, 13, 4 * 16);
  compare_with_golden("race_in_block", b.findings());
}

TEST_CASE("lanes of one warp exchange values behind a barrier of the block") {
  for (const bool by_syncwarp : {false, true}) {
    single_block b(64);
    b.device.shared_array("partial", 0, 256);
    for (unsigned t = 0; t < 64; ++t) b.run().access_by(t, shared, access::write, 12, 4 * t, t);
    b.run().barrier(13);
    if (by_syncwarp) b.run().syncwarp();
    b.run().access_by(0, shared, access::read, 15, 4 * 16);
    b.run().access_by(16, shared, access::write, 15, 4 * 16, 1);
    compare_with_golden(by_syncwarp ? "race_behind_syncwarp" : "race_in_one_warp_of_several", b.findings());
  }
}

TEST_CASE("a __syncwarp before the block's barrier, or of another warp, says nothing of the lanes that race") {
  for (const bool other_warp : {false, true}) {
    single_block b(64);
    b.device.shared_array("partial", 0, 256);
    for (unsigned t = 0; t < 64; ++t) b.run().access_by(t, shared, access::write, 12, 4 * t, t);
    if (!other_warp) b.run().syncwarp();
    b.run().barrier(13);
    if (other_warp) b.run().syncwarp(1);
    b.run().access_by(0, shared, access::read, 15, 4 * 16);
    b.run().access_by(16, shared, access::write, 15, 4 * 16, 1);
    const auto found = b.findings();
    REQUIRE(found.size() == 1);
    CHECK(found[0].message.find("Where other warps take part") != std::string::npos);
  }
}

TEST_CASE("threads that compute elements of their own have come to one index") {
  for (const unsigned other : {1U, 40U}) {
    single_block b(64);
    const address p = b.device.allocate("p", 256);
    b.run().access_by(0, global, access::write, 12, p, 1);
    b.run().access_by(other, global, access::write, 12, p, 2);
    const auto found = b.findings();
    REQUIRE(found.size() == 1);
    CHECK(found[0].message.find("two have computed the same index") != std::string::npos);
    CHECK((found[0].message.find("if (lane == 0)") != std::string::npos) == (other < 32));
  }
}

TEST_CASE("every thread adds to one element without an atomic") {
  single_block b(32);
  const address sum = b.device.allocate("sum", 4);
  b.run().request(request_builder(global, access::read, 12).lanes([=](unsigned) { return sum; }));
  b.run().request(
      request_builder(global, access::write, 12).lanes([=](unsigned) { return sum; }).values([](unsigned l) {
        return l;
      }));
  compare_with_golden("lost_update", b.findings());
}

TEST_CASE("blocks share an element; some update it atomically, one reads it plainly; all set one flag") {
  test_device d;
  const address total = d.allocate("total", 4), c = d.allocate("c", 4), done = d.allocate("done", 4);
  d.begin_launch({2, 1, 1}, {32, 1, 1});
  test_worker w(d);
  for (unsigned block = 0; block < 2; ++block) {
    w.begin_block(block);
    w.access_by(0, global, access::atomic, 20, total);
    if (block == 1) w.access_by(0, global, access::read, 21, total);
    w.access_by(0, global, access::write, 22, c, block);
    w.access_by(0, global, access::write, 23, done, 1);
    w.end_block();
  }
  w.end_launch();
  compare_with_golden("races_between_blocks", d.findings());
}

TEST_CASE("accesses outside of what the program owns") {
  single_block b(32);
  const address in = b.device.allocate("in", 100), plain = b.device.allocate("", 64),
                freed = b.device.allocate("old", 64), elements = b.device.allocate("elements", 32);
  b.device.map.release(b.device.map.find(freed)->id);
  b.device.shared_array("tile", 0, 256);
  b.device.shared_array("dynamic shared memory", 1 << 24, 0);
  b.run().access_by(7, global, access::read, 10, in + 100);
  b.run().access_by(8, global, access::write, 11, in - 4);
  b.run().access_by(9, global, access::write, 12, plain + 64);
  b.run().access_by(10, global, access::read, 13, freed);
  b.run().access_by(11, global, access::read, 14, in + 4, 0, 16);
  b.run().access_by(12, shared, access::write, 15, 256);
  b.run().access_by(13, shared, access::write, 16, 1 << 24);
  b.run().access_by(14, memory_space::host, access::read, 17, 0);
  b.run().access_by(15, memory_space::host, access::read, 18, 0x7fff'0000'0000);
  b.run().access_by(16, global, access::write, 19, elements + 4 * 16);
  compare_with_golden("bounds", b.findings());
}

TEST_CASE("memory that was never set") {
  single_block b(32);
  b.device.shared_array("tile", 0, 256);
  const address bins = b.device.allocate("bins", 64, false);
  b.run().access_by(3, shared, access::read, 10, 12);
  b.run().access_by(4, global, access::read, 11, bins + 8);
  b.run().access_by(5, global, access::atomic, 12, bins + 12);
  compare_with_golden("uninitialised", b.findings());
}

TEST_CASE("barriers and shuffles that not everybody reaches") {
  test_device d;
  d.begin_launch({2, 1, 1}, {256, 1, 1});
  test_worker w(d);
  const barrier_event split{{{10, 96, 0}, {20, 160, 96}}, 0, 0, 256}, left{{{30, 200, 0}}, 56, 200, 256},
      around{{{50, 64, 0}}, 192, 64, 256};
  warp_primitive_event shuffle{.where = 40,
                               .operation = warp_operation::shuffle,
                               .warp = 0,
                               .mask = 0xff,
                               .arrived = 0x1ff,
                               .exited = 0,
                               .source = {}};
  shuffle.source[3] = 12;
  for (unsigned block = 0; block < 2; ++block) {
    w.begin_block(block);
    for (observer* o : w.set.observers()) {
      o->barrier(block == 0 ? split : left);
      o->warp_primitive(shuffle);
      o->barrier(around);
    }
    w.end_block();
  }
  w.end_launch();
  compare_with_golden("barriers", d.findings());
}

}  // namespace simtlab::emulator::testing
