// Which accesses count for the argument that a criterion speaks of.
#include "judge/score/argument_accesses.h"

#include <doctest/doctest.h>

#include <vector>

#include "judge/score/argument_size.h"

using namespace simtlab;

namespace argument_accesses_test {  // other tests have helpers of the same names

namespace {

constexpr array_identity a{1, true}, b{2, true}, c{3, true}, copy{4, false}, other{5, false};

access_counters access(const char* kind, array_identity array, const char* name, const char* space = "global") {
  access_counters of;
  of.space = space;
  of.access = kind;
  of.array = array;
  of.variable = name;
  of.lanes = 64;
  of.bytes = 256;
  return of;
}

launch_counters launch(std::vector<access_counters> accesses) {
  launch_counters l;
  l.accesses = std::move(accesses);
  return l;
}

// Copies a, and makes c of the copy and of b.
measurements on_a_copy() {
  measurements m;
  m.launches = {launch({access("read", a, "a"), access("write", copy, "")}),
                launch({access("read", copy, ""), access("read", b, "b"), access("write", c, "c")})};
  return m;
}

struct asked {
  explicit asked(const measurable& metric, measurements m)
      : measured(std::move(m)), of(metric, full_at(1), none_at(0), ""), accesses(of, in, flow) {}
  measurements measured;
  criterion of;
  array_flow flow{measured};
  criterion_input in{.measured = measured,
                     .model = {},
                     .arguments = {{"a", argument_role::input, 256, 4},
                                   {"b", argument_role::input, 256, 2},
                                   {"c", argument_role::output, 256, 4}}};
  argument_accesses accesses;
};

}  // namespace

TEST_CASE("reads of a copy count for the input, and not for another one") {
  const asked of_a(metric::sector_efficiency("a"), on_a_copy()), of_b(metric::sector_efficiency("b"), on_a_copy());
  const access_counters itself = access("read", a, "a"), of_copy = access("read", copy, "");
  CHECK(of_a.accesses.is_itself(itself));
  CHECK(of_a.accesses.reads_it(itself));
  CHECK(of_a.accesses.reads_it(of_copy));
  CHECK(!of_a.accesses.is_itself(of_copy));
  CHECK(of_a.accesses.through() == std::set<std::string>{"memory without a name"});
  CHECK(!of_b.accesses.reads_it(of_copy));
  CHECK(of_b.accesses.through().empty());
}

TEST_CASE("a name alone makes no access one of the argument") {
  const asked of_a(metric::sector_efficiency("a"), on_a_copy());
  CHECK(!of_a.accesses.is_itself(access("read", other, "a")));
  CHECK(!of_a.accesses.is_of_an_input(access("read", other, "a")));
}

TEST_CASE("stores to memory whose bytes reach the result count for it, atomic operations too") {
  const asked of_c(metric::atomics_per_operation("c"), on_a_copy());
  CHECK(of_c.accesses.writes_it(access("write", copy, "")));
  CHECK(of_c.accesses.is_atomic_of_it(access("atomic", copy, "")));
  CHECK(!of_c.accesses.is_atomic_of_it(access("write", copy, "")));
  CHECK(!of_c.accesses.writes_it(access("write", other, "")));
}

TEST_CASE("a copy inside the device is among the accesses, in constant memory where kernels read it there") {
  measurements m;
  m.launches = {launch({access("read", copy, "table", "constant"), access("write", c, "c")})};
  m.copies = {{a, copy, "a", "table", 256, 8, 8}};
  const asked of_a(metric::sector_efficiency("a"), m);
  REQUIRE(of_a.accesses.all().size() == 4);
  CHECK(of_a.accesses.all()[2].space == "global");
  CHECK(of_a.accesses.all()[3].space == "constant");
}

TEST_CASE("a criterion of no argument is about all accesses; one of all inputs about loads of any") {
  const asked of_all(metric::moved_bytes_per_operation(), on_a_copy()),
      of_inputs(metric::lane_loads_per_operation(), on_a_copy());
  CHECK(of_all.accesses.argument() == nullptr);
  CHECK(of_all.accesses.is_of_it(access("write", other, "")));
  CHECK(!of_all.accesses.are_of_all_inputs());
  CHECK(of_inputs.accesses.are_of_all_inputs());
  CHECK(of_inputs.accesses.reads_an_input(access("read", b, "b")));
  CHECK(of_inputs.accesses.reads_an_input(access("read", copy, "")));
  CHECK(!of_inputs.accesses.reads_an_input(access("read", other, "a")));
  CHECK(of_inputs.accesses.through() == std::set<std::string>{"memory without a name"});
}

TEST_CASE("accesses count in elements of the argument; of all inputs in the smallest of theirs") {
  const access_counters read = access("read", a, "a");
  CHECK(asked(metric::sector_efficiency("a"), {}).accesses.elements(read) == 64);
  CHECK(asked(metric::sector_efficiency("b"), {}).accesses.elements(read) == 128);
  CHECK(asked(metric::lane_loads_per_operation(), {}).accesses.elements(read) == 128);
  CHECK(elements_in(read, 0) == 64);  // of nobody knows how many bytes
}

TEST_CASE("fetches of an array that a copy alone has filled are of the argument; where a launch stores, they are not") {
  measurements m;
  m.copies = {{a, copy, "a", "", 256, 8, 8}};
  m.launches = {launch({access("read", copy, "", "texture"), access("write", c, "c")})};
  CHECK(asked(metric::texture_share("a"), m).accesses.is_fetched_argument(access("read", copy, "", "texture")));
  m.launches.push_back(launch({access("write", copy, "")}));
  CHECK(!asked(metric::texture_share("a"), m).accesses.is_fetched_argument(access("read", copy, "", "texture")));
}

}  // namespace argument_accesses_test
