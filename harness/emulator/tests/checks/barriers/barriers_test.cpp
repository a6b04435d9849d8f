#include "checks/barriers/barriers.h"

#include <doctest/doctest.h>

#include "report/finding_layout.h"
#include "test_device.h"
#include "tests/has.h"

namespace simtlab::emulator::testing {
namespace {

class fixture {
 public:
  fixture() {
    device.begin_launch({2, 1, 1}, {256, 1, 1});
    checks.block_begins({&device.launch, 1, {1, 0, 0}, 256});
  }
  test_device device;
  barriers checks{device.log};
};

}  // namespace

TEST_CASE_FIXTURE(fixture, "a barrier that the whole block reaches is in order") {
  checks.barrier({{{10, 256, 0}}, 0, 0, 256});
  CHECK(device.findings().empty());
}

TEST_CASE_FIXTURE(fixture, "threads at two barriers: both places, and how many came to each") {
  checks.barrier({{{10, 96, 0}, {20, 160, 96}}, 0, 0, 256});
  const auto found = device.findings();
  REQUIRE(identities(found) == std::vector<std::string>{"divergent-barrier 10-20 "});
  CHECK(found[0].first.thread.x == 0);
  CHECK(found[0].second.thread.x == 96);
  CHECK(found[0].first.block.x == 1);
  CHECK(has(found[0].message, "96 threads wait here, 160 threads wait at the other barrier, of 256"));
}

TEST_CASE_FIXTURE(fixture, "what follows a split in the same block is its consequence and not told again") {
  checks.barrier({{{10, 96, 0}, {20, 160, 96}}, 0, 0, 256});
  checks.barrier({{{20, 96, 0}}, 160, 96, 256});
  CHECK(identities(device.findings()) == std::vector<std::string>{"divergent-barrier 10-20 "});
}

TEST_CASE_FIXTURE(fixture, "what a split block does at later barriers is a consequence and not told") {
  checks.barrier({{{10, 96, 0}, {20, 160, 96}}, 0, 0, 256});
  checks.barrier({{{30, 96, 0}}, 160, 96, 256});
  CHECK(identities(device.findings()) == std::vector<std::string>{"divergent-barrier 10-20 "});
}

TEST_CASE_FIXTURE(fixture, "threads that returned before a barrier: how many came and how many did not") {
  checks.barrier({{{10, 200, 0}}, 56, 200, 256});
  checks.request({});
  checks.block_ends();
  const auto found = device.findings();
  REQUIRE(found.size() == 1);
  CHECK(found[0].what == rule::exited_before_barrier);
  CHECK(found[0].level == severity::error);
  CHECK(has(found[0].message, "200 threads of 256 came to this barrier; 56 threads had returned"));
  CHECK(has(finding_text(found[0]), "thread (200,0,0) of block (1,0,0) has returned from the kernel"));
}

TEST_CASE_FIXTURE(fixture, "threads that go around a barrier at the kernel's end did not return early") {
  checks.barrier({{{10, 200, 0}}, 56, 200, 256});
  CHECK(device.findings().empty());
  checks.block_ends();
  const auto found = device.findings();
  REQUIRE(identities(found) == std::vector<std::string>{"divergent-barrier 0-10 "});
  CHECK(has(found[0].message, "56 threads go around it"));
  CHECK(found[0].first.where.line == 10);
}

TEST_CASE_FIXTURE(fixture, "threads that stop elsewhere") {
  checks.barrier({{{10, 255, 0}}, 0, 0, 256});
  const auto found = device.findings();
  REQUIRE(found.size() == 1);
  CHECK(found[0].what == rule::divergent_barrier);
  CHECK(has(found[0].message, "1 thread stopped elsewhere"));
}

TEST_CASE_FIXTURE(fixture, "a shuffle from a lane that does not take part, and from one that has returned") {
  warp_primitive_event e{.where = 30,
                         .operation = warp_operation::shuffle,
                         .warp = 1,
                         .mask = full_warp,
                         .arrived = 0xffff,
                         .exited = 0,
                         .source = {}};
  for (unsigned l = 0; l < 16; ++l) e.source[l] = static_cast<std::uint8_t>(l + 8);
  checks.warp_primitive(e);
  e.where = 31;
  e.exited = 0xffff0000;
  checks.warp_primitive(e);
  const auto found = device.findings();
  REQUIRE(identities(found) == std::vector<std::string>{"inactive-lane 0-30 ", "inactive-lane 0-31 "});
  CHECK(found[0].first.thread.x == 40);  // lane 8 of warp 1 reads lane 16
  CHECK(has(found[0].message, "does not take part"));
  CHECK(has(found[1].message, "has returned"));
}

TEST_CASE_FIXTURE(fixture, "sources among the lanes that take part are in order; votes have no source") {
  warp_primitive_event e{.where = 30,
                         .operation = warp_operation::shuffle,
                         .warp = 0,
                         .mask = 0xff,
                         .arrived = 0xff,
                         .exited = 0,
                         .source = {}};
  for (unsigned l = 0; l < 8; ++l) e.source[l] = static_cast<std::uint8_t>(7 - l);
  checks.warp_primitive(e);
  e.operation = warp_operation::vote;
  e.source.fill(31);
  checks.warp_primitive(e);
  CHECK(device.findings().empty());
}

TEST_CASE_FIXTURE(fixture, "a mask that leaves out the lane that calls") {
  checks.warp_primitive({.where = 30,
                         .operation = warp_operation::syncwarp,
                         .warp = 0,
                         .mask = 0x0f,
                         .arrived = 0x1f,
                         .exited = 0,
                         .source = {}});
  const auto found = device.findings();
  REQUIRE(identities(found) == std::vector<std::string>{"mask-without-caller 0-30 "});
  CHECK(found[0].first.thread.x == 4);
}

}  // namespace simtlab::emulator::testing
