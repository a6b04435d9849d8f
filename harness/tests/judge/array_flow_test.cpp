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
  CHECK(only_brings_back(brought));
  const auto copied = launch({of(access("read", a, "a"), 64), of(access("write", own, "x"), 64)});
  CHECK(only_moves(copied));
  CHECK_FALSE(only_brings_back(copied));
  const auto through_shared = launch({of(access("read", own, "x"), 64), of(access("write", {}, "tile", "shared"), 64),
                                      of(access("read", {}, "tile", "shared"), 640), of(access("write", c, "c"), 64)});
  CHECK(only_brings_back(through_shared));
  for (const auto& more : {of(access("read", other, "y"), 64), of(access("read", a, "a"), 0),
                           of(access("read", other, "w", "constant"), 64), of(access("atomic", other, "y"), 0)}) {
    auto works = brought;
    works.accesses.push_back(more);
    CHECK_FALSE(only_brings_back(works));
  }
  CHECK_FALSE(only_moves(launch({})));
}
