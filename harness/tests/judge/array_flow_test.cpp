// Whose bytes an array holds: along launches and copies, whatever the arrays are called.
#include "judge/score/array_flow.h"

#include <doctest/doctest.h>

using namespace simtlab;

namespace {

access_counters access(const char* kind, array_identity array, const char* name, const char* space = "global") {
  access_counters a;
  a.space = space;
  a.access = kind;
  a.array = array;
  a.variable = name;
  return a;
}

launch_counters launch(std::vector<access_counters> accesses) {
  launch_counters l;
  l.accesses = std::move(accesses);
  return l;
}

constexpr array_identity a{1, true}, b{2, true}, c{3, true}, own{4, false}, other{5, false};

}  // namespace

TEST_CASE("a kernel carries bytes from what it reads to what it writes") {
  measurements m;
  m.launches = {launch({access("read", a, "a"), access("write", own, "x")}),
                launch({access("read", own, "x"), access("read", b, "b"), access("write", c, "c")})};
  const array_flow flow(m);
  CHECK(flow.origins(own) == std::set<std::string>{"a"});
  CHECK(flow.holds(c, "a"));
  CHECK(flow.reaches(own, "c"));
  CHECK_FALSE(flow.holds(own, "b"));
  CHECK_FALSE(flow.reaches(own, "b"));
}

TEST_CASE("copies carry bytes, too, also through constant memory and an argument") {
  measurements m;
  m.copies = {{a, c, "a", "c", 4, 1, 1}, {c, own, "c", "", 4, 1, 1}, {b, other, "b", "weights", 4, 1, 1}};
  m.launches = {launch({access("read", other, "weights", "constant"), access("write", c, "c")})};
  const array_flow flow(m);
  CHECK(flow.origins(own) == std::set<std::string>{"a", "b", "c"});
  CHECK(flow.origins(other) == std::set<std::string>{"b"});
  CHECK(flow.reaches(other, "c"));
}

TEST_CASE("the name that a program gives its array is no argument's") {
  measurements m;
  m.launches = {launch({access("read", own, "a"), access("write", other, "b"), access("write", {}, "b")})};
  const array_flow flow(m);
  CHECK(flow.origins(own).empty());
  CHECK(flow.origins(other).empty());
}

TEST_CASE("shared and local memory carry nothing from launch to launch; atomics read and write") {
  measurements m;
  m.launches = {launch({access("read", a, "a"), access("write", own, "tile", "shared")}),
                launch({access("read", own, "tile", "shared"), access("atomic", other, "sum")}),
                launch({access("read", a, "a"), access("atomic", other, "sum")})};
  const array_flow flow(m);
  CHECK(flow.origins(own).empty());
  CHECK(flow.origins(other) == std::set<std::string>{"a"});
}

TEST_CASE("who only moves stores what it reads, and who brings results back reads memory of the program's own") {
  const auto of = [](access_counters one, std::uint64_t bytes) {
    one.bytes = bytes;
    return one;
  };
  const auto brought = launch({of(access("read", own, "x"), 64), of(access("write", c, "c"), 64)});
  CHECK(only_moves(brought));
  const argument_bytes sizes{{"c", 64}};
  CHECK(only_brings_back(brought, sizes));
  CHECK(only_brings_back(brought, {}));
  CHECK_FALSE(only_brings_back(brought, {{"c", 60}}));  // who stores twice works
  const auto copied = launch({of(access("read", a, "a"), 64), of(access("write", own, "x"), 64)});
  CHECK(only_moves(copied));
  CHECK_FALSE(only_brings_back(copied, sizes));
  const auto through_shared = launch({of(access("read", own, "x"), 64), of(access("write", {}, "tile", "shared"), 64),
                                      of(access("read", {}, "tile", "shared"), 640), of(access("write", c, "c"), 64)});
  CHECK_FALSE(only_brings_back(through_shared, sizes));
  for (const auto& more : {of(access("read", other, "y"), 64), of(access("read", a, "a"), 0),
                           of(access("read", other, "w", "constant"), 64), of(access("atomic", other, "y"), 0)}) {
    auto works = brought;
    works.accesses.push_back(more);
    CHECK_FALSE(only_brings_back(works, sizes));
  }
  CHECK_FALSE(only_moves(launch({})));
}

TEST_CASE("values that are added to memory of the program's own one by one have only moved") {
  const auto adding = [](array_identity to, std::uint64_t lanes_at_an_address) {
    auto read = access("read", a, "a"), added = access("atomic", to, "x");
    read.bytes = added.bytes = 128, added.requests = 1, added.same_address_lanes = lanes_at_an_address;
    return launch({read, added});
  };
  CHECK(only_carries(adding(own, 1)));
  CHECK_FALSE(only_moves(adding(own, 1)));
  CHECK_FALSE(only_carries(adding(own, 2)));  // lanes meet
  CHECK_FALSE(only_carries(adding(c, 1)));    // a result may have been added to before
  auto sums = adding(own, 1);
  sums.accesses[0].bytes *= 2;
  CHECK_FALSE(only_carries(sums));
}

TEST_CASE("a result is memory of another's where it is read and not worked on") {
  const auto of = [](access_counters one, std::uint64_t bytes) {
    one.bytes = bytes;
    return one;
  };
  const auto first = [&of](std::uint64_t read) {  // reads a, and adds or stores to c
    return launch({of(access("read", a, "a"), read), of(access("atomic", c, "c"), 64)});
  };
  const auto is_scratch = [](std::vector<launch_counters> launches, std::vector<device_copies> copies = {}) {
    measurements m;
    m.launches = std::move(launches);
    m.copies = std::move(copies);
    return array_flow(m).is_scratch_for(c, "b");
  };
  const auto moves = launch({of(access("read", c, "c"), 64), of(access("write", b, "b"), 64)});
  CHECK(is_scratch({first(4096), moves}));
  CHECK(is_scratch({first(4096)}, {{c, b, "c", "b", 4, 1, 1}}));
  CHECK(is_scratch({first(4096), launch({of(access("read", c, "c"), 64), of(access("write", own, "x"), 64)}),
                    launch({of(access("read", own, "x"), 64), of(access("write", b, "b"), 64)})}));
  const auto in_place = launch({of(access("read", c, "c"), 64), of(access("write", c, "c"), 64),
                                of(access("read", b, "b"), 64), of(access("write", b, "b"), 64)});
  CHECK_FALSE(is_scratch({in_place}));

  const auto takes = launch({of(access("atomic", c, "c"), 4), of(access("atomic", b, "b"), 4)});
  CHECK(is_scratch({first(4096), takes}));
  const auto adds_to_both = [&of](std::uint64_t read) {
    return launch(
        {of(access("read", a, "a"), read), of(access("atomic", c, "c"), 64), of(access("atomic", b, "b"), 64)});
  };
  CHECK_FALSE(is_scratch({adds_to_both(4096)}));
  CHECK_FALSE(is_scratch({adds_to_both(4096), adds_to_both(2048)}));
  CHECK(is_scratch({first(4096), adds_to_both(256)}));  // a token read
  auto beside = adds_to_both(0);                        // what it reads is no part of that sum
  beside.accesses.push_back(of(access("read", other, "y"), 65536));
  CHECK(is_scratch({first(4096), beside}));
  auto resets = moves;  // and stores there as much as it reads
  resets.accesses.push_back(of(access("write", c, "c"), 64));
  CHECK(is_scratch({first(4096), resets}));
}
