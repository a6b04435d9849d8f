// Inputs must be the same for everyone, everywhere, for good: the golden values below never change.
#include <doctest/doctest.h>

#include <algorithm>
#include <set>

#include "spec/random_source.h"

using simtlab::random_source;
using simtlab::random_stream;

TEST_CASE("splitmix64 gives the published sequence") {
  // Reference values of Sebastiano Vigna's splitmix64.c for the state 1234567.
  random_stream stream(1234567);
  CHECK(stream.next() == 6457827717110365317U);
  CHECK(stream.next() == 3203168211198807973U);
  CHECK(stream.next() == 9817491932198370423U);
}

TEST_CASE("golden values of a source") {
  const random_source source(42, "ragged edges");
  CHECK(source["input"].next() == 10401151607059320354U);
  const auto floats = source["input"].uniform<float>(3);
  CHECK(floats == std::vector<float>{0x1.0585p-3F, -0x1.365d5p-2F, -0x1.e8e94p-2F});
  const auto doubles = source["input"].uniform<double>(2, 0, 10);
  CHECK(doubles == std::vector<double>{0x1.68dcc8b288629p+2, 0x1.be05b2e218b6ep+1});
  const auto bytes = source["input"].uniform<unsigned char>(6, 0, 255);
  CHECK(bytes == std::vector<unsigned char>{34, 128, 59, 204, 104, 5});
}

TEST_CASE("streams differ by seed, case and argument, and do not depend on the order of use") {
  std::set<std::uint64_t> first;
  for (const std::uint64_t seed : {0U, 1U, 2U})
    for (const char* name : {"one", "two"})
      for (const char* argument : {"a", "b"}) first.insert(random_source(seed, name)[argument].next());
  CHECK(first.size() == 12);
  const random_source source(1, "case");
  const auto alone = source["b"].next();
  static_cast<void>(source["a"].next());
  CHECK(source["b"].next() == alone);
}

TEST_CASE("floating-point numbers stay inside [low, high)") {
  random_stream stream(7);
  for (const float x : stream.uniform<float>(10'000, 1.0F, 1.0000002F)) CHECK((x >= 1.0F && x < 1.0000002F));
  const auto wide = stream.uniform<double>(10'000, -3, 5);
  CHECK(*std::ranges::min_element(wide) < -2.9);
  CHECK(*std::ranges::max_element(wide) > 4.9);
  CHECK(*std::ranges::max_element(wide) < 5);
}

TEST_CASE("integers reach both ends, negative ones too, and the whole range of a type") {
  random_stream stream(7);
  const auto dice = stream.uniform<int>(1000, -1, 4);
  CHECK(std::set<int>(dice.begin(), dice.end()) == std::set<int>{-1, 0, 1, 2, 3, 4});
  const auto words = stream.uniform<std::int64_t>(100, INT64_MIN, INT64_MAX);
  CHECK(std::ranges::any_of(words, [](auto w) { return w < 0; }));
  CHECK(std::ranges::any_of(words, [](auto w) { return w > 0; }));
}

TEST_CASE("bounded numbers are unbiased") {
  // With this bound a biased generator (bits % bound) hits the lower third twice as often as the others.
  random_stream stream(3);
  const std::uint64_t bound = (std::uint64_t{1} << 62) * 3;
  int low = 0;
  for (int i = 0; i < 30'000; ++i) low += stream.below(bound) < bound / 3;
  CHECK(low > 9'500);
  CHECK(low < 10'500);
}

TEST_CASE("a long array holds the same numbers as one drawn number by number, whoever shares the work") {
  const std::size_t count = simtlab::fewest_to_share + 12345;
  random_stream whole(5), single(5);
  const auto floats = whole.uniform<float>(count, -2, 3);
  std::size_t different = 0;
  for (const float x : floats) different += x != single.uniform_float(-2, 3);
  CHECK(different == 0);
  CHECK(whole.next() == single.next());
  // A third of all draws is refused: what follows is known in order only.
  const std::int64_t high = 3 * (std::int64_t{1} << 61) - 1 + INT64_MIN / 2;
  const auto integers = whole.uniform<std::int64_t>(count, INT64_MIN / 2, high);
  for (const std::int64_t x : integers)
    different += x != static_cast<std::int64_t>(static_cast<std::uint64_t>(INT64_MIN / 2) +
                                                single.below(3 * (std::uint64_t{1} << 61)));
  CHECK(different == 0);
  CHECK(whole.next() == single.next());
}
