// Medians, their intervals, and when enough calls have been timed: plain numbers, no GPU.
#include "timing/sample_statistics.h"

#include <doctest/doctest.h>

#include "spec/random_source.h"
#include "timing/fresh_values.h"
#include "timing/stopping_rule.h"

using namespace simtlab;

TEST_CASE("median") {
  CHECK(!median({}));
  CHECK(median({3, 1, 2}) == 2);
  CHECK(median({4, 1, 2, 3}) == 2.5);
}

TEST_CASE("the interval's ranks are those of the binomial table") {
  const auto of = [](int n, double confidence) {
    std::vector<double> samples;
    for (int i = n; i >= 1; --i) samples.push_back(i);
    return median_interval(samples, confidence);
  };
  CHECK(!of(5, 0.95));  // 2 · 2^-5 is more than 5 %
  CHECK(of(6, 0.95)->low == 1);
  CHECK(of(6, 0.95)->high == 6);
  CHECK(of(9, 0.95)->low == 2);  // 2 · (1 + 9) / 512 = 3.9 %
  CHECK(of(9, 0.95)->high == 8);
  CHECK(of(20, 0.95)->low == 6);  // P(Bin(20, 1/2) < 6) = 2.07 %
  CHECK(of(20, 0.95)->high == 15);
  CHECK(of(100, 0.95)->low == 40);
  CHECK(of(100, 0.95)->high == 61);
}

TEST_CASE("the interval holds the median as often as it says, whatever the distribution") {
  random_stream random(7);
  int held = 0;
  constexpr int trials = 4000;
  for (int t = 0; t < trials; ++t) {
    std::vector<double> samples;
    for (int i = 0; i < 21; ++i) {  // a floor at 1, a long tail, median 1 + 1/4
      const double u = random.uniform_double(0, 1);
      samples.push_back(1 + u * u / (1.0001 - u * u) * 0.75);
    }
    if (median_interval(samples, 0.95)->holds(1.25)) ++held;
  }
  CHECK(held >= 0.94 * trials);
  CHECK(held <= 0.99 * trials);
}

TEST_CASE("bounds of a ratio") {
  const interval r = ratio_of({2, 3}, {4, 5});
  CHECK(r.low == doctest::Approx(0.4));
  CHECK(r.high == doctest::Approx(0.75));
}

TEST_CASE("calls end when their median is narrow and no threshold lies in it") {
  stopping_limits limits;
  limits.fewest = 11;
  limits.most = 40;
  const auto count = [](stopping_limits l, auto time_of) {
    stopping_rule rule(std::move(l));
    while (!rule.is_enough(0)) rule.add(time_of(rule.samples().size()));
    return std::pair(rule.samples().size(), std::string(rule.state()));
  };
  const auto steady = [](std::size_t i) { return 1 + 1e-4 * static_cast<double>(i % 5); };
  const auto rough = [](std::size_t i) { return 1 + 0.05 * static_cast<double>(i % 5); };
  CHECK(count(limits, steady) == std::pair(std::size_t{11}, std::string("settled")));
  CHECK(count(limits, rough) == std::pair(std::size_t{40}, std::string("noisy")));
  limits.thresholds = {1.0002};
  CHECK(count(limits, steady) == std::pair(std::size_t{40}, std::string("undecided")));
  limits.thresholds = {1.5};
  CHECK(count(limits, steady).first == 11);
}

TEST_CASE("calls end when their time is up, but never before the fewest") {
  stopping_rule rule({.fewest = 3, .most = 100, .seconds = 1, .relative_width = 0.005, .thresholds = {}});
  rule.add(1);
  rule.add(2);
  CHECK(!rule.is_enough(5));
  rule.add(3);
  CHECK(rule.is_enough(5));
  CHECK(!rule.is_enough(0.5));
}

TEST_CASE("a mixture takes about half of each set, and another key gives another") {
  constexpr std::size_t elements = 10000;
  std::size_t second = 0, differ = 0;
  for (std::size_t i = 0; i < elements; ++i) {
    second += takes_second(42, 1, i) ? 1 : 0;
    differ += takes_second(42, 1, i) != takes_second(43, 1, i) ? 1 : 0;
  }
  CHECK(second > 4700);
  CHECK(second < 5300);
  CHECK(differ > 4700);
  CHECK(differ < 5300);
  const std::vector<std::byte> a(12, std::byte{1}), b(12, std::byte{2});
  const auto mixed = mixed_values(a, b, 3, 42, 1);  // whole elements
  for (std::size_t i = 0; i < 4; ++i) {
    const std::byte expected{takes_second(42, 1, i) ? std::uint8_t{2} : std::uint8_t{1}};
    CHECK(mixed[3 * i] == expected);
    CHECK(mixed[3 * i + 2] == expected);
  }
}
