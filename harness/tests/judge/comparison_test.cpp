#include "judge/decide/comparison.h"

#include <doctest/doctest.h>

#include <cmath>

#include "tests/as_bytes.h"

using namespace simtlab;

namespace {

template <class T>
std::optional<mismatch> compared(const std::vector<T>& expected, const std::vector<T>& actual, const tolerance& allowed,
                                 const shape& extents, std::size_t components = 1) {
  lab of;
  of.arguments = {{"c", argument_role::output, scalar_type_of<T>(), components, sizeof(T) * components}};
  return compare(of, allowed, {{as_bytes(expected), extents}}, {}, {as_bytes(actual)});
}

float poison() {
  float value;
  std::memset(&value, 0xff, sizeof value);
  return value;
}

}  // namespace

TEST_CASE("equal outputs have no mismatch") {
  CHECK(!compared<float>({1, 2, 3}, {1, 2, 3}, exact, {3}));
  CHECK(!compared<float>({}, {}, exact, {0}));
  CHECK(!compared<float>({1, NAN}, {1, NAN}, exact, {2}));
}

TEST_CASE("a mismatch counts, locates and shows the good values before") {
  const auto m = compared<float>({1, 2, 3, 4, 5, 6}, {1, 2, 3, 9, 5, 9}, exact, {2, 3});
  REQUIRE(m);
  CHECK(m->argument == "c");
  CHECK(m->wrong == 2);
  CHECK(m->total == 6);
  CHECK(m->first[0].index == std::vector<std::size_t>{1, 0});
  CHECK(m->first[0].expected == 4);
  CHECK(m->first[0].actual == 9);
  REQUIRE(m->good_before.size() == 2);
  CHECK(m->good_before[0].index == std::vector<std::size_t>{0, 1});
  CHECK(m->lowest == std::vector<std::size_t>{1, 0});
  CHECK(m->highest == std::vector<std::size_t>{1, 2});
  CHECK(m->largest_error == 5);
}

TEST_CASE("the longest name of the elements listed is known, those of right ones included") {
  const auto m = compared<float>({1, 2, 3}, {1, 2, 9}, exact, {3});
  REQUIRE(m);
  mismatch named = *m;
  named.argument = "scaled_row_major";
  named.good_before[0].index = {100};
  CHECK(longest_element_name(named) == std::string("scaled_row_major[100]").size());
}

TEST_CASE("values that differ are shown in as many digits as tell them apart") {
  const auto m = compared<double>({1.362797, 2}, {1.362797 + 1.2e-9, 2}, within(1e-12, 0), {2});
  REQUIRE(m);
  const told_apart texts = told_apart_in(*m, m->first[0]);
  CHECK(texts.expected == "1.362797");
  CHECK(texts.actual == "1.362797001");
  const auto coarse = compared<float>({1, 2}, {1, 3}, exact, {2});
  CHECK(told_apart_in(*coarse, coarse->first[0]).actual == "3");
}

TEST_CASE("a mismatch knows whether all wrong elements are nearly right, and what the worst may be off by") {
  const auto near = compared<double>({1, 2, 100}, {1, 2 + 1e-7, 100 + 1e-6}, within(1e-9, 1e-10), {3});
  REQUIRE(near);
  CHECK(is_nearly_right(*near));
  CHECK(near->largest_error == doctest::Approx(1e-6));
  CHECK(near->allowed_there == doctest::Approx(1e-9 + 1e-10 * 100));
  CHECK(!is_nearly_right(*compared<double>({1, 2, 100}, {1, 3, 100.0001}, exact, {3})));
  CHECK(!is_nearly_right(*compared<double>({0}, {1e-7}, exact, {1})));  // of 0 no share is small
  CHECK(!is_nearly_right(*compared<float>({1}, {poison()}, exact, {1})));
  CHECK(!is_nearly_right(*compared<int>({1000000}, {1000001}, exact, {1})));  // integers are right or wrong
}

TEST_CASE("at most five wrong elements are listed") {
  const auto m = compared<int>(std::vector<int>(100, 1), std::vector<int>(100, 2), exact, {100});
  REQUIRE(m);
  CHECK(m->wrong == 100);
  CHECK(m->first.size() == most_shown);
}

TEST_CASE("a wrong matrix has a picture of what was expected, found and wrong") {
  const auto m = compared<float>({0, 1, 2, 3, 14, 7}, {0, 1, NAN, 3, 14, 99}, exact, {2, 3});
  REQUIRE(m);
  REQUIRE(m->picture);
  CHECK(m->picture->rows == 2);
  CHECK(m->picture->cols == 3);
  CHECK(m->picture->highest == 14);
  CHECK(m->picture->expected == std::vector<std::string>{"012", "3e7"});
  CHECK(m->picture->found == std::vector<std::string>{"01f", "3ee"});
  CHECK(m->picture->wrong == std::vector<std::string>{"00f", "00f"});
}

TEST_CASE("a pixel of a large matrix is the mean of its cell, and one wrong element of many shows") {
  std::vector<float> expected(64 * 96, 0), found = expected;
  for (std::size_t i = 0; i < 96 * 2; ++i) expected[i] = found[i] = 14;  // the first two rows are the first of 32
  found[63 * 96 + 95] = 7;
  const auto m = compared<float>(expected, found, exact, {64, 96});
  REQUIRE(m);
  REQUIRE(m->picture);
  CHECK(m->picture->expected.size() == most_pixels);
  CHECK(m->picture->expected[0] == std::string(32, 'e'));
  CHECK(m->picture->expected[1] == std::string(32, '0'));
  CHECK(m->picture->wrong[30] == std::string(32, '0'));
  CHECK(m->picture->wrong[31] == std::string(31, '0') + "3");  // one of 2 × 3, of 15 parts, rounded up
}

TEST_CASE("what nobody wrote has no colour, and vectors have no picture") {
  const auto m = compared<float>({1, 2, 3, 4}, {poison(), 2, 3, 4}, exact, {2, 2});
  REQUIRE(m);
  REQUIRE(m->picture);
  CHECK(m->picture->found[0][0] == 'f');
  CHECK_FALSE(compared<float>({1, 2}, {1, 3}, exact, {2})->picture);
  CHECK_FALSE(compared<float>({1, 2}, {1, 3}, exact, {1, 2})->picture);
}

TEST_CASE("a wrong image has pictures in its own colours, of what went in, too") {
  lab of;
  of.arguments = {{"input", argument_role::input, scalar_type::u8, 1, 1},
                  {"output", argument_role::output, scalar_type::u8, 1, 1}};
  const auto bytes = [](std::vector<std::uint8_t> values) { return as_bytes(values); };
  const shape extents{2, 2, 3};
  const std::vector<std::uint8_t> expected{0, 1, 2, 16, 17, 255, 6, 7, 8, 9, 10, 11};
  std::vector<std::uint8_t> found = expected;
  found[4] = 18;
  found[9] = 0xff;  // never written
  const argument_value input{bytes(std::vector<std::uint8_t>(12, 170)), extents, true};
  const auto m = compare(of, exact, {input, {bytes(expected), extents, true}}, {}, {{}, bytes(found)});
  REQUIRE(m);
  CHECK(m->first[0].index == std::vector<std::size_t>{0, 1, 1});
  REQUIRE(m->picture);
  CHECK(m->picture->wrong == std::vector<std::string>{"0f", "0f"});  // a pixel with one wrong channel
  CHECK(m->picture->rows == 2);
  CHECK(m->picture->cols == 2);
  REQUIRE(m->picture->image);
  CHECK(m->picture->image->channels == 3);
  CHECK(m->picture->image->input == std::vector<std::string>(2, "aaaaaaaaaaaa"));
  CHECK(m->picture->image->expected == std::vector<std::string>{"0001021011ff", "060708090a0b"});
  CHECK(m->picture->image->found == std::vector<std::string>{"0001021012ff", "060708..0a0b"});
  const auto alone = compare(of, exact, {{bytes({1}), {1}}, {bytes(expected), extents, true}}, {}, {{}, bytes(found)});
  CHECK(alone->picture->image->input.empty());
}

TEST_CASE("a pixel of a large image is the mean of its cell, channel by channel") {
  const auto lines = draw_image(80, 120, 3, [](std::size_t i) {
    return i % 3 == 1 ? std::nullopt : std::optional<unsigned>(i % 3 == 0 ? (i / 3) % 2 * 255 : 7);
  });
  REQUIRE(lines.size() == most_image_pixels);
  CHECK(lines[0].substr(0, 12) == "55..07aa..07");  // three columns of two rows
}

TEST_CASE("poison is never written, also where NaN would be right") {
  const auto m = compared<float>({NAN, 1}, {poison(), poison()}, exact, {2});
  REQUIRE(m);
  CHECK(m->wrong == 2);
  CHECK(m->never_written == 2);
}

TEST_CASE("poison that a kernel stored itself is a NaN like any other") {
  const std::vector<float> expected{NAN, 1}, actual{poison(), poison()};
  lab of;
  of.arguments = {{"c", argument_role::output, scalar_type::f32, 1, 4}};
  const auto m = compare(of, exact, {{as_bytes(expected), {2}}}, {}, {as_bytes(actual)}, written_bytes{{8}});
  REQUIRE(m);
  CHECK(m->wrong == 1);
  CHECK(m->never_written == 0);
  CHECK(compare(of, exact, {{as_bytes(expected), {2}}}, {}, {as_bytes(actual)}, written_bytes{{7}})->wrong == 2);
}

TEST_CASE("zeros and constants fail under every tolerance a lab may choose") {
  const std::vector<float> expected{0.5F, -0.25F, 0.75F, 0.1F};
  for (const tolerance& allowed : {exact, within_ulps(4), within(1e-4, 1e-4), sum_of_products(256)}) {
    CHECK(compared<float>(expected, {0, 0, 0, 0}, allowed, {4}));
    CHECK(compared<float>(expected, {0.5F, 0.5F, 0.5F, 0.5F}, allowed, {4}));
  }
}

TEST_CASE("components of an element are one more index") {
  const auto m = compared<float>({1, 2, 3, 4}, {1, 2, 3, 5}, exact, {2}, 2);
  REQUIRE(m);
  CHECK(m->first[0].index == std::vector<std::size_t>{1, 1});
}

TEST_CASE("integers of 64 bits are compared exactly") {
  const std::int64_t big = (std::int64_t{1} << 60) + 1;
  CHECK(compared<std::int64_t>({big}, {big - 1}, exact, {1}));
}

TEST_CASE("absolute values reach floating-point arguments only") {
  lab of;
  of.arguments = {{"x", argument_role::input, scalar_type::f32, 1, 4},
                  {"n", argument_role::scalar, scalar_type::i32, 1, 4}};
  const auto made = absolute_values(of, {{as_bytes<float>({-2, 3}), {2}}, {as_bytes<int>({-5}), {}}});
  CHECK(made[0].bytes == as_bytes<float>({2, 3}));
  CHECK(made[1].bytes == as_bytes<int>({-5}));
}
