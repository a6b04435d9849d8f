#include <doctest/doctest.h>

#include <cmath>

#include "spec/metric.h"

using namespace simtlab;

TEST_CASE("points are linear between none and full, in either direction") {
  CHECK(fraction_earned(1.0, 1.0, 0.125) == 1);
  CHECK(fraction_earned(0.125, 1.0, 0.125) == 0);
  CHECK(fraction_earned(0.5625, 1.0, 0.125) == 0.5);
  CHECK(fraction_earned(5, 2, 8) == 0.5);
  CHECK(fraction_earned(1, 2, 8) == 1);
  CHECK(fraction_earned(32, 2, 8) == 0);
  CHECK(!std::signbit(fraction_earned(8, 2, 8)));  // printed as 0.0, not as -0.0
  CHECK(fraction_earned(std::nan(""), 2, 8) == 0);
}

TEST_CASE("every quantity is described under its own name, and some backend can measure it") {
  for (int i = 0; i <= static_cast<int>(quantity::time_among_anchors); ++i) {
    const metric_description& d = description_of(static_cast<quantity>(i));
    CAPTURE(d.name);
    CHECK(!d.rule.empty());
    CHECK(!d.says.empty());
    CHECK(d.emulator != d.gpu);
  }
  CHECK(description_of(metric::leaked_bytes.what).name == "leaked_bytes");
  CHECK(description_of(measurable(metric::wavefronts_over_minimum).what).name == "wavefronts_over_minimum");
  CHECK(description_of(metric::ratio_to_baseline("x").what).name == "ratio_to_baseline");
  CHECK(metric::wavefronts_over_minimum("tile").of == "tile");
}
