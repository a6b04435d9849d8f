// What an output and the counters of its launches look like, of one number. Outputs of many: mismatch_pattern_test.cpp.
#include "judge/decide/wrong_answer.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cstring>
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

TEST_CASE("a value of the input, where another of them is expected, is no rounding") {
  lab of;
  of.arguments.push_back({"values", argument_role::input, scalar_type::f32, 1, 4});
  of.arguments.push_back({"largest", argument_role::output, scalar_type::f32, 1, 4});
  const test_case in("some", {{"n", 4}});
  const case_result by;
  const std::array<float, 4> values{-7, -3, -3.0015F, -9};
  std::vector<std::byte> bytes(sizeof values);
  std::memcpy(bytes.data(), values.data(), sizeof values);
  const std::vector<argument_value> given{argument_value{bytes, {4}}, argument_value{std::vector<std::byte>(4), {1}}};
  const wrong_answer a{of, in, given, by, 1, true};
  mismatch m;
  m.argument = "largest";
  m.wrong = m.total = 1;
  m.first = {{{0}, -3, static_cast<double>(values[2])}};
  const auto other = another_input(a, m);
  REQUIRE(other);
  CHECK(other->says ==
        "largest[0] holds values[2], and values[1] is expected: another of the input's values, which no rounding has "
        "changed. Which elements are not compared?");
  m.first[0].actual = -3.0014;
  CHECK_FALSE(another_input(a, m));  // no value of the input
  m.first[0].actual = -9;
  m.allowed_there = 1e-5;
  CHECK_FALSE(another_input(a, m));  // rounding is allowed
  m.allowed_there = 0;
  m.total = 3;
  CHECK_FALSE(another_input(a, m));  // as many results as values: they are moved, not picked
}

TEST_CASE("each block has the same result: the block plays no part") {
  lab of;
  of.arguments.push_back({"largest", argument_role::output, scalar_type::f32, 1, 4});
  of.model = [](const test_case&) { return work{}; };
  const test_case in("three segments", {{"n", 3000}});
  output_values output{"largest", {3}, {-3, -2, -4}, {-3, -3, -3}, {false, true, true}, {false, false, false}, false};
  const std::vector<argument_value> given{argument_value{std::vector<std::byte>(12), {3}}};
  const auto said = [&](std::uint64_t blocks) {
    case_result by;
    launch_counters l;
    l.grid = {blocks, 1, 1};
    l.block = {256, 1, 1};
    access_counters store;
    store.access = "write";
    store.variable = "largest";
    l.accesses = {store};
    by.measured.launches = {l};
    return what_it_looks_like({of, in, given, by, 0, true}, output).front().says;
  };
  CHECK(said(3) ==
        "Every element of largest is the same number, and each block has one of them: the block's index, blockIdx, "
        "plays no part in what a block reads.");
  CHECK(said(1).find("the thread's own index plays no part") != std::string::npos);
}

TEST_CASE("a sum that goes on in the next call is asked for its variable of the device") {
  lab of;
  of.arguments.push_back({"count", argument_role::output, scalar_type::i32, 1, 4});
  of.run_reference = [](std::vector<argument_value>& v) {
    const int right = 5;
    std::memcpy(v[0].bytes.data(), &right, sizeof right);
  };
  of.tolerance_of = [](const test_case&) { return exact; };
  const test_case in("some", {{"n", 9}});
  case_result by;
  for (const int found : {7, 12}) {
    std::vector<std::byte> bytes(4);
    std::memcpy(bytes.data(), &found, sizeof found);
    by.rounds.push_back({bytes});
  }
  launch_counters l;
  access_counters add;
  add.access = "atomic";
  add.variable = "clipped_samples";
  l.accesses = {add};
  by.measured.launches = {l};
  const std::vector<argument_value> given{argument_value{std::vector<std::byte>(4), {1}}};
  const auto said = [&](std::vector<std::string> variables) {
    return from_the_call_before({of, in, given, by, 0, true, std::move(variables)}, 1).front().says;
  };
  CHECK(said({"clipped_samples"})
            .ends_with("clipped_samples, a variable of the device, keeps its value from one call to the next: set it "
                       "before the first launch of each call."));
  CHECK(said({"gain_of_step"}).find("write float sum = 0;") != std::string::npos);
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
