// What an output and the counters of its launches look like, of one number. Outputs of many: mismatch_pattern_test.cpp.
#include "judge/decide/wrong_answer.h"

#include <doctest/doctest.h>

using namespace simtlab;

namespace {

output_values count_of(double expected, double found, bool integers = true) {
  return {"negatives", {1}, {expected}, {found}, {true}, {false}, integers};
}

std::vector<explanation> explained(const output_values& output, std::uint64_t exchanges = 1) {
  lab of;
  of.arguments.push_back({"negatives", argument_role::output, scalar_type::u32, 1, 4});
  of.model = [](const test_case&) { return work{}; };
  const test_case in("values for less than a warp", {{"values", 19}});
  case_result by;
  launch_counters l;
  l.kernel = "sum_and_count";
  l.exchanges = exchanges;
  by.measured.launches = {l};
  const std::vector<argument_value> given{argument_value{std::vector<std::byte>(4), {1}}};
  return what_it_looks_like({of, in, given, by, 0, true}, output);
}

}  // namespace

TEST_CASE("a vote that nobody counted is known by its bits") {
  const auto all = explained(count_of(9, 0x542da));
  REQUIRE(all.size() == 1);
  CHECK(all[0].says ==
        "negatives[0] is 0x542da, of whose bits 9 are set, as many as are expected: this looks like the word of "
        "__ballot_sync itself, with a bit for each lane. __popc counts them.");
}

TEST_CASE("other counts that are wrong are no votes") {
  CHECK(explained(count_of(9, 0x542da), 0).empty());      // no kernel votes
  CHECK(explained(count_of(9, 0x542db)).empty());         // other bits
  CHECK(explained(count_of(9, 511)).empty());             // near, with nine bits
  CHECK(explained(count_of(2, 0x10001)).empty());         // two bits meet by chance
  CHECK(explained(count_of(9, 0x542da, false)).empty());  // no integer
}
