#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "spec/random_source.h"
#include "spec/tolerance.h"

using namespace simtlab;

namespace {

constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();
constexpr double inf = std::numeric_limits<double>::infinity();

float to_half_precision(float x) {  // 11 significant bits, as a __half has
  int exponent = 0;
  const float mantissa = std::frexp(x, &exponent);
  return std::ldexp(std::nearbyint(mantissa * 2048.0F) / 2048.0F, exponent);
}

struct sums {
  double exact = 0, magnitude = 0;
  float single = 0, half_inputs = 0;
};

sums products(int terms, random_stream stream) {
  sums s;
  for (int i = 0; i < terms; ++i) {
    const float a = stream.uniform_float(-1, 1), b = stream.uniform_float(-1, 1);
    s.exact += static_cast<double>(a) * static_cast<double>(b);
    s.magnitude += std::fabs(static_cast<double>(a) * static_cast<double>(b));
    s.single += a * b;
    s.half_inputs += to_half_precision(a) * to_half_precision(b);
  }
  return s;
}

}  // namespace

TEST_CASE("NaN is right only where the reference has it") {
  CHECK(accepts(within(1e9, 0), not_a_number, not_a_number, 0, true));
  CHECK(!accepts(within(1e9, 0), 1.0, not_a_number, 0, true));
  CHECK(!accepts(within(1e9, 0), not_a_number, 1.0, 0, true));
}

TEST_CASE("an infinity is right only where the reference has the same") {
  CHECK(accepts(exact, inf, inf, 0, true));
  CHECK(!accepts(within(1e300, 1), inf, -inf, 0, false));
  CHECK(!accepts(within(1e300, 1), inf, 1e30, 0, false));
  CHECK(!accepts(within(1e300, 1), 1e30, inf, 0, false));
}

TEST_CASE("exact means equal, whatever the sign of zero") {
  CHECK(accepts(exact, 0.0, -0.0, 0, true));
  CHECK(!accepts(exact, 1.0, std::nextafter(1.0, 2.0), 0, false));
}

TEST_CASE("absolute and relative bounds add up") {
  CHECK(accepts(within(0.5, 0.1), 10, 11.5, 0, false));
  CHECK(!accepts(within(0.5, 0.1), 10, 11.51, 0, false));
}

TEST_CASE("units in the last place follow the precision of the output") {
  CHECK(ulp_at(1.0, true) == 0x1p-23);
  CHECK(ulp_at(1.0, false) == 0x1p-52);
  CHECK(accepts(within_ulps(2), 1.0, 1.0 + 0x1p-22, 0, true));
  CHECK(!accepts(within_ulps(2), 1.0, 1.0 + 3 * 0x1p-23, 0, true));
}

TEST_CASE("a sum of products: single precision is right, half precision and zeros are wrong") {
  for (const int terms : {16, 64, 256, 1024}) {
    CAPTURE(terms);
    const tolerance allowed = sum_of_products(terms);
    int single_wrong = 0, half_wrong = 0, zeros_wrong = 0;
    const int elements = 200;
    for (int i = 0; i < elements; ++i) {
      const sums s = products(terms, random_source(static_cast<std::uint64_t>(i), "sum")["a"]);
      single_wrong += !accepts(allowed, s.exact, static_cast<double>(s.single), s.magnitude, true);
      half_wrong += !accepts(allowed, s.exact, static_cast<double>(s.half_inputs), s.magnitude, true);
      zeros_wrong += !accepts(allowed, s.exact, 0, s.magnitude, true);
    }
    CHECK(single_wrong == 0);
    CHECK(half_wrong > (terms <= 256 ? elements / 2 : elements / 10));
    CHECK(zeros_wrong > elements * 19 / 20);
  }
}

TEST_CASE("a sum of positive terms: single precision is right, and a term too few is wrong") {
  for (const int terms : {100, 10'000, 100'000}) {
    CAPTURE(terms);
    random_stream stream(static_cast<std::uint64_t>(terms));
    double exact_sum = 0;
    float single = 0, last = 0;
    for (int i = 0; i < terms; ++i) {
      last = stream.uniform_float(0.5F, 1);
      exact_sum += static_cast<double>(last);
      single += last;
    }
    CHECK(accepts(sum_of_products(terms), exact_sum, static_cast<double>(single), exact_sum, true));
    if (terms <= 10'000)
      CHECK(!accepts(sum_of_products(terms), exact_sum, static_cast<double>(single - last), exact_sum, true));
  }
}
