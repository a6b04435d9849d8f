// From measured numbers to readings, remarks and verdicts: no GPU.
#include "judge/gpu/timing_evidence.h"

#include <doctest/doctest.h>

#include <cmath>

using namespace simtlab;

namespace {

std::vector<double> around(double middle, double half_width = 0.001) {
  std::vector<double> samples;
  for (int i = -10; i <= 10; ++i) samples.push_back(middle * (1 + half_width * i / 10));
  return samples;
}

// A transpose of 8192² floats on a GPU that copies 4 TB/s: the copy's time is 134.2 µs.
timing_evidence transpose_of(double milliseconds) {
  timing_evidence e;
  e.model = work{268435456, 268435456, 67108864};
  e.calls.milliseconds = around(milliseconds);
  e.calls.host_milliseconds = milliseconds + 0.01;
  e.calls.state = "settled";
  e.wall_milliseconds = 2000;
  e.limits_before = e.limits_after = device_limits{4000, 4300, 30000, 50 << 20};
  e.baselines["cublas_geam"] = {around(0.140), around(0.140)};
  return e;
}

}  // namespace

TEST_CASE("a fraction of the copy bandwidth, and a ratio to a baseline") {
  std::string reason;
  const auto copy = read_copy_fraction(transpose_of(0.1678), reason);
  REQUIRE(copy);
  CHECK(copy->value == doctest::Approx(0.8).epsilon(0.001));
  CHECK(copy->bounds.holds(copy->value));
  const auto ratio = read_baseline_ratio(transpose_of(0.28), "cublas_geam", reason);
  REQUIRE(ratio);
  CHECK(ratio->value == doctest::Approx(0.5));
  CHECK(ratio->bounds.low > 0.498);
  CHECK(ratio->bounds.high < 0.502);
}

TEST_CASE("times below 30 µs are not graded, and the reason says so") {
  std::string reason;
  CHECK(!read_copy_fraction(transpose_of(0.029), reason));
  CHECK(reason.find("29 µs") != std::string::npos);
  CHECK(reason.find("below 30 µs") != std::string::npos);
}

TEST_CASE("what is missing is named") {
  timing_evidence e = transpose_of(0.2);
  e.missing["cub_scan"] = "the baseline cub_scan is not built here";
  std::string reason;
  CHECK(!read_baseline_ratio(e, "cub_scan", reason));
  CHECK(reason == "the baseline cub_scan is not built here");
}

TEST_CASE("a GPU that drifted widens the interval over both baselines") {
  timing_evidence e = transpose_of(0.28);
  CHECK(drift_of(e) == doctest::Approx(0));
  e.baselines["cublas_geam"].after = around(0.147);
  CHECK(drift_of(e) == doctest::Approx(0.05));
  std::string reason;
  const auto ratio = read_baseline_ratio(e, "cublas_geam", reason);
  REQUIRE(ratio);
  CHECK(ratio->bounds.holds(0.5));
  CHECK(ratio->bounds.holds(0.525));
  REQUIRE(remarks_on(e).size() == 1);
  CHECK(remarks_on(e)[0].find("5.0 %") != std::string::npos);
}

TEST_CASE("faster than the GPU can move the bytes: implausible") {
  CHECK(implausibility(transpose_of(0.140)) == "");
  CHECK(implausibility(transpose_of(0.125)) == "");  // 107 % of a copy was seen
  CHECK(implausibility(transpose_of(0.040)).find("cannot do the lab's work in less than") != std::string::npos);
}

TEST_CASE("faster than the GPU can multiply: implausible; faster than its ordinary units: not yet") {
  timing_evidence e = transpose_of(0.5);
  e.model = work{3e7, 1e7, 6.87e10};  // 4096³
  e.calls.milliseconds = around(2.67);
  e.calls.host_milliseconds = 2.7;
  CHECK(implausibility(e) == "");
  e.calls.milliseconds = around(0.9);
  e.calls.host_milliseconds = 0.91;
  CHECK(implausibility(e) == "");
  e.calls.milliseconds = around(0.4);
  e.calls.host_milliseconds = 0.41;
  CHECK(implausibility(e) != "");
}

TEST_CASE("what fits into the cache has no floor of bytes") {
  CHECK(floor_milliseconds(work{1e6, 1e6, 0}, {4000, 4300, 30000, 50 << 20}) == 0);
}

TEST_CASE("the host's clock and the judge's tell when events did not see all") {
  timing_evidence e = transpose_of(0.2);
  e.calls.host_milliseconds = 3;
  CHECK(implausibility(e).find("host's clock") != std::string::npos);
  e = transpose_of(0.2);
  e.wall_milliseconds = 1;
  CHECK(implausibility(e).find("the whole program ran for 1 ms") != std::string::npos);
}

TEST_CASE("thresholds become times before the submission runs") {
  const std::vector<criterion> criteria{{metric::copy_bandwidth_fraction, full_at(0.8), none_at(0.2), "hint"},
                                        {metric::ratio_to_baseline("cublas_geam"), full_at(0.5), none_at(0.1), "hint"}};
  const auto times = thresholds_of(criteria, transpose_of(1));
  REQUIRE(times.size() == 4);
  CHECK(times[0] == doctest::Approx(0.1678).epsilon(0.001));
  CHECK(times[1] == doctest::Approx(0.671).epsilon(0.001));
  CHECK(times[2] == doctest::Approx(0.28));
  CHECK(times[3] == doctest::Approx(1.4));
}

TEST_CASE("remarks name throttling, neighbours, noise and a GPU that was not ours alone") {
  timing_evidence e = transpose_of(0.2);
  CHECK(remarks_on(e).empty());
  e.state = gpu_state{1200, 2000, 88, 2, {"temperature", "power limit"}};
  e.calls.state = "noisy";
  e.alone = false;
  const auto remarks = remarks_on(e);
  REQUIRE(remarks.size() == 4);
  CHECK(remarks[0].find("temperature, power limit") != std::string::npos);
  CHECK(remarks[1].find("2 other processes") != std::string::npos);
}

TEST_CASE("what several programs have measured before weighs more than what one has after") {
  timing_evidence e = transpose_of(0.2);
  e.programs_before = 7;
  e.limits_after->copy_gigabytes_per_second = 4040;
  std::string reason;
  const auto copy = read_copy_fraction(e, reason);
  REQUIRE(copy);
  CHECK(copy->value == doctest::Approx(0.53687 / 0.2 / 4.005).epsilon(0.001));
}

TEST_CASE("two measurements on a GPU that throttles are one that took turns") {
  timing_evidence first = transpose_of(0.20), second = transpose_of(0.22);
  first.baselines["cublas_geam"] = {around(0.140), around(0.150)};
  second.baselines["cublas_geam"] = {around(0.150), around(0.160)};
  second.calls.checked = 3;
  const std::size_t calls = first.calls.milliseconds.size();
  const timing_evidence all = joined(first, second);
  CHECK(all.calls.milliseconds.size() == 2 * calls);
  CHECK(all.calls.checked == calls + 3);
  CHECK(all.baselines.at("cublas_geam").before.size() == 2 * calls);
  CHECK(all.wall_milliseconds == 4000);
  std::string reason;
  const auto ratio = read_baseline_ratio(all, "cublas_geam", reason);
  REQUIRE(ratio);
  CHECK(ratio->bounds.low < 0.140 / 0.21);
  CHECK(ratio->bounds.high > 0.150 / 0.21);
}

namespace {

const std::vector<anchor> transposes{{"solution", 1}, {"unpadded", 0.4}, {"naive", 0}};

timing_evidence among(double milliseconds, double solution, double unpadded, double naive) {
  timing_evidence e = transpose_of(milliseconds);
  e.baselines["solution"] = {around(solution), {}};
  e.baselines["unpadded"] = {around(unpadded), {}};
  e.baselines["naive"] = {around(naive), {}};
  return e;
}

double mark_of(const timing_evidence& e) {
  std::string reason;
  const auto read = read_among_anchors(e, transposes, reason);
  REQUIRE(read);
  CHECK(read->bounds.holds(read->value));
  return read->value;
}

}  // namespace

TEST_CASE("an anchor's own time earns the anchor's mark, and the solution's earns all") {
  CHECK(mark_of(among(0.150, 0.15, 0.33, 0.99)) == 1);
  CHECK(mark_of(among(0.154, 0.15, 0.33, 0.99)) == 1);  // within 3 % of it
  CHECK(mark_of(among(0.330, 0.15, 0.33, 0.99)) == doctest::Approx(0.4));
  CHECK(mark_of(among(0.990, 0.15, 0.33, 0.99)) == doctest::Approx(0));
  CHECK(mark_of(among(5.000, 0.15, 0.33, 0.99)) == 0);
}

TEST_CASE("marks between anchors are linear in the speed, whatever the GPU's own speed is") {
  const double full = full_mark_share / 0.15, low = 1 / 0.33, middle = 2 / (full + low);
  CHECK(mark_of(among(middle, 0.15, 0.33, 0.99)) == doctest::Approx(0.7));
  for (const double gpu : {0.5, 2.0, 7.0})
    CHECK(mark_of(among(gpu * 0.2, gpu * 0.15, gpu * 0.33, gpu * 0.99)) ==
          doctest::Approx(mark_of(among(0.2, 0.15, 0.33, 0.99))));
  double above = 1;
  for (double t = 0.14; t < 1.2; t += 0.01) {
    const double mark = mark_of(among(t, 0.15, 0.33, 0.99));
    CHECK(mark <= above);
    above = mark;
  }
}

TEST_CASE("below a slowest anchor that earns something, marks fall with the speed") {
  const std::vector<anchor> two{{"solution", 1}, {"unpadded", 0.4}};
  std::string reason;
  const auto read = read_among_anchors(among(0.66, 0.15, 0.33, 0.99), two, reason);
  REQUIRE(read);
  CHECK(read->value == doctest::Approx(0.2));
  CHECK(reason.find("this took 0.66 ms; solution, which earns 100 %, 0.15 ms; unpadded, which earns 40 %, 0.33 ms") ==
        0);
}

TEST_CASE("anchors that a GPU cannot tell apart, or that were not timed, leave the time ungraded") {
  std::string reason;
  CHECK(!read_among_anchors(among(0.2, 0.15, 0.16, 0.99), transposes, reason));
  CHECK(reason.find("unpadded takes 0.16 ms and solution 0.15 ms") != std::string::npos);
  CHECK(!read_among_anchors(among(0.2, 0.15, 0.99, 0.33), transposes, reason));
  timing_evidence e = among(0.2, 0.15, 0.33, 0.99);
  e.baselines.erase("unpadded");
  e.missing["unpadded"] = "the lab's own kernel unpadded is not built here";
  CHECK(!read_among_anchors(e, transposes, reason));
  CHECK(reason == "the lab's own kernel unpadded is not built here");
}

TEST_CASE("the times of anchors are thresholds") {
  const std::vector<criterion> criteria{{metric::time_among_anchors, transposes, "hint"}};
  const auto times = thresholds_of(criteria, among(0.2, 0.15, 0.33, 0.99));
  REQUIRE(times.size() == 3);
  CHECK(times[0] == doctest::Approx(0.15 / full_mark_share));
  CHECK(times[1] == doctest::Approx(0.33));
}
