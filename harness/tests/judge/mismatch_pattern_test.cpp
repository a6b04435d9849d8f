// Each mistake is recognised on random sizes and values, and none is claimed on noise.
#include "judge/decide/mismatch_pattern.h"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <random>

using namespace simtlab;

namespace mismatch_pattern_test {  // other tests have helpers of the same names

namespace {

constexpr unsigned seed = 16;
constexpr int rounds = 300;

class sample {
 public:
  explicit sample(unsigned n) : random_(n) {}
  std::size_t number(std::size_t from, std::size_t to) {
    return std::uniform_int_distribution<std::size_t>(from, to)(random_);
  }
  double value() { return static_cast<float>(std::uniform_real_distribution<double>(-1, 1)(random_)); }
  /// A right output of that shape.
  output_values right(shape extents) {
    std::size_t count = 1;
    for (const std::size_t n : extents) count *= n;
    output_values of{"c", std::move(extents), {}, {}, std::vector<bool>(count), std::vector<bool>(count), false};
    for (std::size_t i = 0; i < count; ++i) of.expected.push_back(value());
    of.found = of.expected;
    return of;
  }

 private:
  std::mt19937 random_;
};

output_values judged(output_values of) {
  for (std::size_t i = 0; i < of.found.size(); ++i)
    of.wrong[i] = of.unwritten[i] || !is_close(of.expected[i], of.found[i], 1, of.integers);
  return of;
}

/// The pattern that the wrong output made by `spoil` is taken for, on `rounds` random sizes; every time the same.
template <class Spoil>
void is_recognised(pattern kind, int dimensions, Spoil spoil) {
  sample random(seed);
  for (int round = 0; round < rounds; ++round) {
    const shape extents =
        dimensions == 1 ? shape{random.number(40, 3000)} : shape{random.number(8, 70), random.number(8, 70)};
    if (dimensions == 2 && extents[0] == extents[1]) continue;  // a row length needs two
    output_values of = random.right(extents);
    const sizes named = dimensions == 1
                            ? sizes{{"n", static_cast<int>(extents[0])}}
                            : sizes{{"j", static_cast<int>(extents[0])}, {"l", static_cast<int>(extents[1])}};
    spoil(of, random);
    const auto found = pattern_of(judged(of), named);
    CAPTURE(round);
    REQUIRE(found);
    CHECK(found->kind == kind);
    CHECK(found->says.back() != ' ');
  }
}

}  // namespace

TEST_CASE("transposed") {
  is_recognised(pattern::transposed, 2, [](output_values& of, sample&) {
    const std::size_t rows = of.extents[0], cols = of.extents[1];
    for (std::size_t i = 0; i < rows; ++i)
      for (std::size_t j = 0; j < cols; ++j) of.found[j * rows + i] = of.expected[i * cols + j];
  });
}

TEST_CASE("equal rows, equal columns, one value, zeros, nan") {
  is_recognised(pattern::equal_rows, 2, [](output_values& of, sample&) {
    for (std::size_t i = 0; i < of.found.size(); ++i) of.found[i] = of.expected[i % of.extents[1]];
  });
  is_recognised(pattern::equal_columns, 2, [](output_values& of, sample&) {
    for (std::size_t i = 0; i < of.found.size(); ++i) of.found[i] = of.expected[i / of.extents[1] * of.extents[1]];
  });
  is_recognised(pattern::one_value, 2,
                [](output_values& of, sample&) { of.found.assign(of.found.size(), of.expected[1]); });
  is_recognised(pattern::all_zero, 1, [](output_values& of, sample&) { of.found.assign(of.found.size(), 0); });
  is_recognised(pattern::all_nan, 1,
                [](output_values& of, sample&) { of.found.assign(of.found.size(), std::nan("")); });
}

TEST_CASE("the smallest float above zero, where a maximum of negative numbers should stand") {
  is_recognised(pattern::smallest_float, 1, [](output_values& of, sample&) {
    of.expected.assign(of.expected.size(), -3);
    of.found.assign(of.found.size(), std::numeric_limits<float>::min());
  });
  const auto said = [](double found) {
    const auto pattern = pattern_of({"largest", {1}, {-3}, {found}, {true}, {false}, false}, sizes{{"n", 1}});
    return pattern ? pattern->says : "";
  };
  CHECK(said(std::numeric_limits<float>::min()) ==
        "largest[0] is FLT_MIN, 1.175e-38: that is the smallest float above zero, and every negative number is less. "
        "Start a maximum from -FLT_MAX or -INFINITY.");
  CHECK(said(std::numeric_limits<double>::min()).find("-DBL_MAX") != std::string::npos);
  CHECK(said(1e-38).empty());
}

TEST_CASE("shifted by a few elements, whatever stands at the end") {
  is_recognised(pattern::shifted, 1, [](output_values& of, sample& random) {
    const std::size_t distance = random.number(1, 4), n = of.found.size();
    const bool up = random.number(0, 1) == 1;
    for (std::size_t i = 0; i < n; ++i) of.found[i] = random.value();
    for (std::size_t i = 0; i + distance < n; ++i)
      (up ? of.found[i + distance] : of.found[i]) = of.expected[up ? i : i + distance];
  });
}

TEST_CASE("a whole multiple or part") {
  is_recognised(pattern::multiple, 1, [](output_values& of, sample& random) {
    const auto factor = static_cast<double>(random.number(2, 64));
    const bool part = random.number(0, 1) == 1;
    for (double& v : of.found) v = part ? v / factor : v * factor;
  });
}

TEST_CASE("a running sum that starts anew in each piece, or loses some of what is handed on") {
  for (const bool all_lost : {true, false})
    is_recognised(pattern::restarting, 1, [all_lost](output_values& of, sample& random) {
      const std::size_t piece = std::size_t{8} << random.number(0, 1);
      double sum = 0, lost = 0;
      for (std::size_t i = 0; i < of.found.size(); ++i) {
        if (i > 0 && i % piece == 0) lost = all_lost ? sum : lost + 1.5;
        sum += of.expected[i];
        of.expected[i] = sum;
        of.found[i] = sum - lost;
      }
    });
}

TEST_CASE("rows stored another distance apart, whoever was last to store") {
  is_recognised(pattern::row_length, 2, [](output_values& of, sample& random) {
    const std::size_t rows = of.extents[0], cols = of.extents[1];
    const bool backwards = random.number(0, 1) == 1;
    of.unwritten.assign(of.found.size(), true);
    for (std::size_t n = 0; n < rows * cols; ++n) {
      const std::size_t i = backwards ? rows * cols - 1 - n : n, at = i / cols * rows + i % cols;
      if (at >= of.found.size()) continue;
      of.found[at] = of.expected[i];
      of.unwritten[at] = false;
    }
  });
}

TEST_CASE("the sentence names lengths and directions") {
  sample random(seed);
  output_values of = random.right({4, 6});
  for (std::size_t i = 0; i < 4; ++i)
    for (std::size_t j = 0; j < 6; ++j) of.found[j * 4 + i] = of.expected[i * 6 + j];
  CHECK(pattern_of(judged(of), {{"j", 4}, {"l", 6}})->says.find("row * l + column with l = 6") != std::string::npos);
  CHECK(pattern_of(judged(of), {{"j", 6}, {"l", 6}})->says.find("row * 6 + column") != std::string::npos);
  of = random.right({33});
  for (std::size_t i = 33; i-- > 1;) of.found[i] = of.found[i - 1];
  of.found[0] = 0;
  CHECK(pattern_of(judged(of), {{"n", 33}})->says.find("exclusive") != std::string::npos);
}

TEST_CASE("a single number that is a whole multiple; hardly ever one by chance") {
  sample random(seed + 2);
  int claimed = 0;
  for (int round = 0; round < 2000; ++round) {
    output_values of = random.right({1});
    if (of.expected[0] == 0) continue;
    of.found[0] = 63 * of.expected[0];
    CHECK(pattern_of(judged(of), {})->says.find("is 63 times what it should be") != std::string::npos);
    of.found[0] = random.value();
    claimed += pattern_of(judged(of), {}) ? 1 : 0;
  }
  CHECK(claimed <= 2);
}

TEST_CASE("nothing is claimed of noise: some elements wrong at random, or all, fractions or whole numbers") {
  sample random(seed + 1);
  for (int round = 0; round < 4000; ++round) {
    const shape extents =
        random.number(0, 1) == 1 ? shape{random.number(2, 300)} : shape{random.number(2, 20), random.number(2, 20)};
    output_values of = random.right(extents);
    of.integers = round % 3 == 0;
    const auto whole = [&] { return static_cast<double>(random.number(0, 40)); };
    if (of.integers)
      for (double& v : of.expected) v = whole();
    of.found = of.expected;
    const std::size_t share = random.number(0, 100);
    for (double& v : of.found)
      if (random.number(0, 100) <= share) v = of.integers ? whole() : random.value();
    const auto found =
        pattern_of(judged(of), {{"j", static_cast<int>(extents[0])}, {"l", static_cast<int>(extents.back())}});
    CAPTURE(round);
    if (found) CAPTURE(found->says);
    CHECK_FALSE(found);
  }
}

TEST_CASE("a right output has no pattern") {
  sample random(seed);
  CHECK_FALSE(pattern_of(judged(random.right({5, 5})), {}));
  CHECK_FALSE(pattern_of(judged(random.right({0})), {}));
}

}  // namespace mismatch_pattern_test
