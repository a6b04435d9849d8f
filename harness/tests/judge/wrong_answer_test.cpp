// What an output and the counters of its launches look like, of one number. Outputs of many: mismatch_pattern_test.cpp.
#include "judge/decide/wrong_answer.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <limits>

using namespace simtlab;

namespace {

output_values count_of(double expected, double found, bool integers = true) {
  return {"negatives", {1}, {expected}, {found}, {true}, {false}, integers};
}

std::vector<explanation> explained(const output_values& output, std::uint64_t warp_value_primitives = 1) {
  lab of;
  of.arguments.push_back({"negatives", argument_role::output, scalar_type::u32, 1, 4});
  of.model = [](const test_case&) { return work{}; };
  const test_case in("values for less than a warp", {{"values", 19}});
  case_result by;
  launch_counters l;
  l.kernel = "sum_and_count";
  l.warp_value_primitives = warp_value_primitives;
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

TEST_CASE("a sum that begins with no value is known by what lies in such a variable") {
  const double as_float = -1.6947395e38;  // 0xFEFEFEFE
  const auto one = [](double expected, double found) { return count_of(expected, found, false); };
  const auto exact = static_cast<double>(static_cast<float>(as_float));
  const auto all = explained(one(0.5, exact));
  REQUIRE(all.size() == 1);
  CHECK(all[0].cause == "no first value");
  CHECK(all[0].says ==
        "This looks like a variable of the kernel that has no first value: it holds what lies in its register, on this "
        "emulator "
        "always -1.695e+38. Write float sum = 0; for float sum;");
  CHECK(explained(one(0.5, -std::numeric_limits<double>::infinity()))[0].cause == "no first value");  // 32 lanes' sum
  CHECK(explained(count_of(9, 4278124286.0))[0].cause == "no first value");
  CHECK(explained(count_of(9, 4278124286.0 + 9))[0].says.find("always -16843010") != std::string::npos);
  CHECK(explained(count_of(9, -16843010.0 + 9))[0].cause == "no first value");
}

TEST_CASE("other values that are wrong began with one") {
  const auto is_told = [](const output_values& of) {
    const auto all = explained(of, 0);
    return std::ranges::any_of(all, [](const explanation& e) { return e.cause == "no first value"; });
  };
  CHECK_FALSE(is_told(count_of(9, 4278124285.0)));
  CHECK_FALSE(is_told(count_of(9, 0)));
  CHECK_FALSE(is_told(count_of(0.5, 7, false)));
  CHECK_FALSE(is_told(count_of(0.5, std::numeric_limits<double>::quiet_NaN(), false)));
  CHECK_FALSE(is_told(count_of(0.5, std::numeric_limits<double>::infinity(), false)));
  output_values two = count_of(0.5, -1.0, false);
  two.extents = {2};
  two.expected = {0.5, 0.5};
  two.found = {-std::numeric_limits<double>::infinity(), 3};
  two.wrong = {true, true};
  two.unwritten = {false, false};
  CHECK_FALSE(is_told(two));
}

TEST_CASE("an answer that is nearly right is told its error and what is allowed") {
  mismatch m;
  m.largest_error = 1.234e-7;
  m.allowed_there = 1e-9;
  CHECK(
      rounding(m).says.starts_with("Off by 1.2e-07 at most, allowed is 1e-09. So near a value is by another rounding"));
  m.allowed_there = 0;
  CHECK(rounding(m).says.starts_with("Off by 1.2e-07 at most, allowed is no difference."));
}
