// Metrics, from hand-made counters to points.
#include "judge/score/criteria.h"

#include <doctest/doctest.h>

#include <utility>

using namespace simtlab;

namespace {

access_counters access(const char* space, const char* kind, const char* variable, int line) {
  access_counters a;
  a.file = "kernel.cu";
  a.line = line;
  a.space = space;
  a.access = kind;
  a.variable = variable;
  return a;
}

// A tiled kernel as the emulator might report it: a is read well, b badly, the tile has conflicts in line 21.
measurements tiled() {
  measurements m;
  launch_counters l;
  auto a = access("global", "read", "a", 10), b = access("global", "read", "b", 11),
       c = access("global", "write", "c", 30);
  a.requests = 4, a.lanes = 128, a.bytes = 512, a.sectors = 16, a.ideal_sectors = 16;
  b.requests = 4, b.lanes = 128, b.bytes = 512, b.sectors = 128, b.ideal_sectors = 16;
  c.requests = 2, c.lanes = 32, c.bytes = 128, c.sectors = 8, c.ideal_sectors = 4;
  auto stores = access("shared", "write", "tile", 20), loads = access("shared", "read", "tile", 21);
  stores.requests = 4, stores.lanes = 128, stores.wavefronts = 4, stores.ideal_wavefronts = 4;
  loads.requests = 4, loads.lanes = 128, loads.wavefronts = 28, loads.ideal_wavefronts = 4;
  auto filter = access("constant", "read", "filter", 25), bins = access("global", "atomic", "bins", 40);
  filter.requests = 12, filter.lanes = 384, filter.distinct_words = 24;
  bins.requests = 5, bins.lanes = 160, bins.same_address_lanes = 40;
  l.grid = {2, 1, 1}, l.block = {32, 2, 1};  // 128 threads store 32 elements of c
  l.accesses = {a, b, c, stores, loads, filter, bins};
  m.launches = {l, l};  // twice: sums, not the last
  m.host.bytes_to_device = 300;
  m.host.bytes_to_host = 100;
  m.host.leaked_bytes = 64;
  return m;
}

evaluated_criterion only(const measurable& metric, double full, double none, const measurements& m,
                         backend_kind backend = backend_kind::emulator, entry_kind kind = entry_kind::device) {
  static std::vector<criterion> criteria;
  criteria = {{metric, full_at(full), none_at(none), "hint"}};
  criterion_input in{m, work{1e6, 1e6, 512}, 200, backend, kind};
  in.whole_work = false;  // whole_work_test.cpp has the second reading
  return evaluate(criteria, in).front();
}

double value(const measurable& metric, double full, double none) {
  const auto e = only(metric, full, none, tiled());
  REQUIRE(e.value);
  return *e.value;
}

}  // namespace

TEST_CASE("a store of four elements at once counts as four elements; of loads the second reading says so") {
  measurements m = tiled();
  for (launch_counters& l : m.launches)
    for (access_counters& a : l.accesses)
      if (a.variable == "c") a.bytes *= 4, a.array = {1, true};
  const std::vector<criterion> criteria{{metric::stores_per_thread("c"), full_at(1), none_at(0), "hint"}};
  criterion_input in{m, work{1e6, 1e6, 512}, 200};
  in.whole_work = false;
  CHECK(evaluate(criteria, in).front().value == 0.25);  // of an argument whose elements are unknown
  in.arguments = {{"c", argument_role::output, 4096, 4}};
  CHECK(evaluate(criteria, in).front().value == 1);
}

TEST_CASE("loads of all inputs are those of arguments that are only read") {
  measurements m = tiled();
  for (launch_counters& l : m.launches)
    for (access_counters& a : l.accesses) a.array = {1, true};
  const std::vector<criterion> criteria{{metric::lane_loads_per_operation(), full_at(0), none_at(2), "hint"}};
  criterion_input in{m, work{1e6, 1e6, 512}, 200};
  in.whole_work = false;
  CHECK(evaluate(criteria, in).front().reason == "no access to the inputs in global memory was seen");
  in.arguments = {{"a", argument_role::input, 4096, 4},
                  {"b", argument_role::input, 4096, 4},
                  {"c", argument_role::output, 4096, 4}};
  CHECK(evaluate(criteria, in).front().value == 1);
}

TEST_CASE("a shared variable that is called like an argument is not that argument") {
  measurements m = tiled();
  auto namesake = access("shared", "atomic", "bins", 50);
  namesake.requests = 10, namesake.lanes = 320, namesake.same_address_lanes = 320;
  for (launch_counters& l : m.launches) {
    l.accesses.back().array = {1, true};
    l.accesses.push_back(namesake);
  }
  const std::vector<criterion> criteria{{metric::same_address_lanes("bins"), full_at(1), none_at(32), "hint"}};
  criterion_input in{m, work{1e6, 1e6, 512}, 200};
  in.whole_work = false;
  in.arguments = {{"bins", argument_role::output, 1024, 4}};
  CHECK(evaluate(criteria, in).front().value == 8);
}

TEST_CASE("a texture fetch is a read of one element, whatever its filter takes") {
  measurements m = tiled();
  CHECK(only(metric::texture_share("b"), 1, 0, m).reason == "no texture fetch of b was seen");
  const double loads = *only(metric::lane_loads_per_operation("b"), 0, 1, m).value;
  for (launch_counters& l : m.launches) {
    access_counters fetch = l.accesses[1];
    fetch.space = "texture";
    l.accesses.push_back(fetch);
  }
  CHECK(*only(metric::texture_share("b"), 1, 0, m).value == 0.5);
  CHECK(*only(metric::lane_loads_per_operation("b"), 0, 1, m).value == 2 * loads);
}

TEST_CASE("who works in an input's memory earns nothing by what is counted") {
  measurements m = tiled();
  CHECK(only(metric::sector_efficiency("a"), 1, 0, m).fraction == 1);
  m.findings.emplace_back().rule = input_changed_rule;
  CHECK(only(metric::sector_efficiency("a"), 1, 0, m).fraction == 0);
}

TEST_CASE("each counter metric, by its rule") {
  CHECK(value(metric::sector_efficiency("a"), 1, 0) == 1);
  CHECK(value(metric::sector_efficiency("b"), 1, 0) == 0.125);
  CHECK(value(metric::wavefronts_over_minimum, 2, 8) == 4);
  CHECK(value(metric::wavefronts_over_minimum("tile"), 2, 8) == 4);
  CHECK(value(metric::requested_bytes_per_operation("a"), 0, 8) == 2);
  CHECK(value(metric::lane_loads_per_operation("b"), 0, 1) == 0.5);
  CHECK(value(metric::stores_per_thread("bins"), 4, 1) == 1.25);
  CHECK(value(metric::atomics_per_operation("bins"), 0, 1) == 0.625);
  CHECK(value(metric::same_address_lanes("bins"), 1, 32) == 8);
  CHECK(value(metric::constant_words_per_request("filter"), 1, 32) == 2);
  CHECK(value(metric::constant_share("a"), 1, 0) == 0.75);
  CHECK(value(metric::constant_share("z"), 1, 0) == 1);
  CHECK(value(metric::stores_per_thread("c"), 4, 1) == 0.25);
  CHECK(value(metric::active_lanes, 32, 1) == doctest::Approx(704.0 / 23));
  CHECK(value(metric::operations_per_pass, 240, 1) == doctest::Approx(512.0 / 198));
  CHECK(value(metric::copied_bytes_over_minimum, 1, 2) == 2);
  CHECK(value(metric::leaked_bytes, 0, 1) == 64);
  CHECK(value(metric::moved_bytes_per_operation("b"), 1, 32) == 32.0 * 256 / 512);
  CHECK(value(metric::moved_bytes_per_operation(), 1, 32) == 32.0 * 2 * (16 + 128 + 8) / 512);
}

TEST_CASE("the useful share is the model's bytes over those of all sectors, scratch included") {
  criterion_input in{.measured = tiled(), .model = {.bytes_read = 2048, .bytes_written = 384, .operations = 512}};
  in.whole_work = false;
  const std::vector<criterion> criteria{{metric::useful_share, full_at(1), none_at(0), ""}};
  const double moved = 32.0 * 2 * (16 + 128 + 8);
  CHECK(evaluate(criteria, in).front().value == doctest::Approx((2048 + 384) / moved));
  CHECK(only(metric::useful_share, 1, 0, {}).reason == "no access to global memory was seen");
}

TEST_CASE("atomics are told per block of the launches that make them") {
  measurements m = tiled();
  m.launches[0].grid = m.launches[1].grid = {4, 5, 1};
  launch_counters without;  // makes none: its blocks do not count
  without.grid = {1000, 1, 1};
  m.launches.push_back(without);
  CHECK(*only(metric::atomics_per_block("bins"), 1, 16, m).value == 8);  // 2 x 160 lanes, 2 x 20 blocks
  CHECK(only(metric::atomics_per_block("bins"), 1, 16, m).where->line == 40);
  CHECK(*only(metric::atomics_per_block("a"), 1, 16, m).value == 0);
  CHECK(only(metric::atomics_per_block("a"), 1, 16, m).fraction == 1);
}

TEST_CASE(
    "shared wavefronts are told per warp of the launches that read the argument, if their lanes talk to each other") {
  measurements m = tiled();
  for (launch_counters& l : m.launches) l.grid = {2, 1, 1}, l.block = {17, 2, 1};  // two blocks of two warps
  const auto none = only(metric::shared_wavefronts_per_warp("a"), 3, 9, m);
  CHECK(none.measured);
  CHECK(none.fraction == 0);
  CHECK(none.reason == "no shuffle was seen in a kernel that reads a");

  m.launches[0].warp_value_primitives = 5;
  CHECK(*only(metric::shared_wavefronts_per_warp("a"), 3, 9, m).value == 8);  // 2 x (4 + 28) wavefronts, 2 x 4 warps
  CHECK(only(metric::shared_wavefronts_per_warp("a"), 3, 9, m).where->line == 21);

  auto adds = access("shared", "atomic", "total", 22);  // one request, one wavefront, 32 lanes at one word
  adds.requests = 1, adds.wavefronts = 1, adds.same_address_lanes = 32;
  m.launches[0].accesses.push_back(adds);
  CHECK(*only(metric::shared_wavefronts_per_warp("a"), 3, 9, m).value == 12);

  launch_counters other;  // does not read a: neither its wavefronts nor its warps count
  other.grid = {1000, 1, 1};
  other.accesses = {access("global", "write", "a", 50), adds};
  m.launches.push_back(other);
  CHECK(*only(metric::shared_wavefronts_per_warp("a"), 3, 9, m).value == 12);
  CHECK(only(metric::shared_wavefronts_per_warp("z"), 3, 9, m).reason == "no kernel that reads z was seen");
}

TEST_CASE("the line that costs most is named") {
  CHECK(only(metric::sector_efficiency("b"), 1, 0, tiled()).where->line == 11);
  CHECK(only(metric::wavefronts_over_minimum, 1, 8, tiled()).where->line == 21);
  CHECK(only(metric::constant_share("a"), 1, 0, tiled()).where->line == 10);
  CHECK(only(metric::stores_per_thread("c"), 4, 1, tiled()).where->line == 30);
  CHECK(!only(metric::sector_efficiency("a"), 1, 0, tiled()).where);
}

TEST_CASE("tiles that are filled and never read are named where loads cost points") {
  measurements m = tiled();
  CHECK(only(metric::lane_loads_per_operation("b"), 0, 1, m).reason.empty());
  for (launch_counters& l : m.launches)
    std::erase_if(l.accesses, [](const access_counters& a) { return a.space == "shared" && a.access == "read"; });
  CHECK(only(metric::lane_loads_per_operation("b"), 0, 1, m).reason ==
        "tile (line 20) is filled and never read: take the values from there");
  CHECK(only(metric::lane_loads_per_operation("b"), 1, 2, m).reason.empty());  // it costs nothing
  for (launch_counters& l : m.launches) l.accesses.push_back(access("shared", "atomic", "tile", 22));
  CHECK(only(metric::lane_loads_per_operation("b"), 0, 1, m).reason.empty());
}

TEST_CASE("a metric of which the program shows nothing is missed, with a sentence") {
  const auto e = only(metric::sector_efficiency("z"), 1, 0, tiled());
  CHECK(e.measured);
  CHECK(!e.value);
  CHECK(e.fraction == 0);
  CHECK(e.percent == 100);
  CHECK(e.reason == "no access to z in global memory was seen");
  CHECK(only(metric::constant_words_per_request(""), 1, 8, {}).reason == "no access to constant memory was seen");
  CHECK(only(metric::constant_share("a"), 1, 0, {}).reason == "no read of a was seen, nor of constant memory");
  CHECK(only(metric::constant_words_per_request("weights"), 1, 8, tiled()).reason ==
        "no access to weights in constant memory was seen, but to filter: the array must be called weights to be "
        "counted");
  const auto unused = only(metric::wavefronts_over_minimum, 1, 8, {});
  CHECK(unused.reason == "no access to shared memory was seen");
  CHECK(idea_of(unused).starts_with("These points are for how shared memory is used."));  // banks come later
  CHECK(idea_of(only(metric::wavefronts_over_minimum, 1, 8, tiled())) == "hint");
  CHECK(idea_of(only(metric::same_address_lanes("z"), 1, 8, tiled())).find("meet by atomic operations") !=
        std::string::npos);  // the lab's hint speaks of lanes that wait for each other
}

TEST_CASE("a leak is told at the line that allocated") {
  measurements m = tiled();
  CHECK(!only(metric::leaked_bytes, 0, 1, m).where);
  finding race, leak;
  race.rule = "shared-race", leak.rule = "leak", leak.first.file = "kernel.cu", leak.first.line = 19;
  m.findings = {race, leak};
  CHECK(only(metric::leaked_bytes, 0, 1, m).where->line == 19);
}

TEST_CASE("bytes copied for nothing are told with their direction") {
  measurements m = tiled();
  m.host.copies_to_device = 3, m.host.copies_to_host = 1;
  CHECK(only(metric::copied_bytes_over_minimum, 1, 3, m).reason ==
        "300 bytes went to the device in 3 copies and 100 back in 1; the arguments have 200");
  CHECK(only(metric::copied_bytes_over_minimum, 2, 3, m).reason.empty());  // nothing to explain
}

namespace {

// Ten pages there and back, eight of them by prefetches; 3000 bytes in streams, 1500 of them beside something else.
evaluated_criterion of_the_host(const measurable& metric, double full, double none, const work& model) {
  measurements m = tiled();
  m.host.pages_to_device = 6, m.host.pages_to_host = 4, m.host.prefetched_pages = 8;
  m.host.stream_copy_bytes = 3000, m.host.overlapped_copy_bytes = 1500;
  static std::vector<criterion> criteria;
  criteria = {{metric, full_at(full), none_at(none), "hint"}};
  return evaluate(criteria, {m, model, 200}).front();
}

}  // namespace

TEST_CASE("pages that move and bytes in streams are told over what the model needs") {
  work model;
  model.migrated_pages = 5, model.streamed_bytes = 2000;
  const auto pages = of_the_host(metric::pages_migrated_over_minimum, 1, 3, model);
  CHECK(*pages.value == 2);
  CHECK(pages.reason == "6 pages moved to the device and 4 back, 8 of them by a prefetch");
  CHECK(*of_the_host(metric::prefetched_page_share, 1, 0, model).value == 0.8);
  CHECK(*of_the_host(metric::overlapped_copy_share, 1, 0, model).value == 0.5);
}

TEST_CASE("where data is to move by several means, fewer by one of them earn as little as more") {
  work model;
  model.copied_bytes = 800, model.migrated_pages = 20, model.streamed_bytes = 6000;
  CHECK(*of_the_host(metric::copied_bytes_over_minimum, 1, 3, model).value == 2);  // 400 bytes, the inverse
  CHECK(of_the_host(metric::copied_bytes_over_minimum, 1, 3, model).reason.ends_with("; the lab asks for 800"));
  CHECK(*of_the_host(metric::pages_migrated_over_minimum, 1, 3, model).value == 2);
  CHECK(*of_the_host(metric::prefetched_page_share, 1, 0, model).value == 0.4);
  CHECK(*of_the_host(metric::overlapped_copy_share, 1, 0, model).value == 0.25);
}

TEST_CASE("a program that moves no page, or has no stream, earns nothing of their criteria and is told why") {
  for (const auto& [metric, reason] :
       {std::pair{metric::pages_migrated_over_minimum, "no move of a page of managed memory was seen"},
        std::pair{metric::prefetched_page_share, "no move of a page of managed memory was seen"},
        std::pair{metric::overlapped_copy_share, "no copy in a stream that the program created was seen"}}) {
    const auto e = only(metric, 1, 3, tiled());
    CHECK(!e.value);
    CHECK(e.fraction == 0);
    CHECK(e.reason == reason);
  }
}

TEST_CASE("what a backend cannot measure is not measured, and its weight goes to the others") {
  const measurements m = tiled();
  const std::vector<criterion> criteria = {{metric::sector_efficiency("a"), full_at(1), none_at(0), "hint", weight(3)},
                                           {metric::leaked_bytes, full_at(0), none_at(128), "hint"},
                                           {metric::copy_bandwidth_fraction, full_at(1), none_at(0), "hint", weight(4)},
                                           {metric::ratio_to_baseline("cublas"), full_at(1), none_at(0), "hint"}};
  const auto all = evaluate(criteria, {m, {}, 0, backend_kind::emulator, entry_kind::device});
  CHECK(all[0].percent == 75);
  CHECK(all[1].percent == 25);
  CHECK(!all[2].measured);
  CHECK(all[2].percent == 0);
  CHECK(score_of(all) == 75 + 12.5);

  const auto none = evaluate({criteria[2]}, {m, {}, 0, backend_kind::emulator, entry_kind::device});
  CHECK(!score_of(none));
}

namespace {

// Calls of 1 ms, give or take 2 %, that move 2 MB, on a GPU that copies 4 GB/s.
timing_evidence two_gigabytes_per_second() {
  timing_evidence e;
  for (int i = 0; i < 21; ++i) e.calls.milliseconds.push_back(0.98 + 0.002 * i);
  e.calls.state = "settled";
  e.limits_before = e.limits_after = device_limits{4, 4, 1000, 0};
  e.model = work{1e6, 1e6, 512};
  return e;
}

evaluated_criterion timed(const measurable& metric, double full, double none, const timing_evidence& e,
                          entry_kind kind = entry_kind::device) {
  static std::vector<criterion> criteria;
  criteria = {{metric, full_at(full), none_at(none), "hint"}};
  const measurements nothing;
  return evaluate(criteria, {nothing, e.model, 0, backend_kind::cuda, kind, &e}).front();
}

}  // namespace

TEST_CASE("fraction of the copy bandwidth, with its bounds") {
  const auto e = timed(metric::copy_bandwidth_fraction, 1, 0, two_gigabytes_per_second());
  REQUIRE(e.value);
  CHECK(*e.value == doctest::Approx(0.5));
  CHECK(e.fraction == doctest::Approx(0.5));
  REQUIRE(e.bounds);
  CHECK(e.bounds->holds(0.5));
  CHECK(e.bounds->high - e.bounds->low < 0.02);
  CHECK(!e.favoured);
  CHECK(e.best_fraction == doctest::Approx(e.bounds->high));
}

TEST_CASE("a threshold within the bounds counts as reached") {
  const auto e = timed(metric::copy_bandwidth_fraction, 0.503, 0, two_gigabytes_per_second());
  CHECK(e.favoured);
  CHECK(e.fraction == 1);
  const auto far = timed(metric::copy_bandwidth_fraction, 0.6, 0, two_gigabytes_per_second());
  CHECK(!far.favoured);
  CHECK(far.fraction < 1);
}

TEST_CASE("what no time was taken of is not measured, and counts neither way") {
  const timing_evidence e = two_gigabytes_per_second();
  CHECK(!timed(metric::copy_bandwidth_fraction, 1, 0, e, entry_kind::host).measured);
  CHECK(!timed(metric::sector_efficiency("a"), 1, 0, e).measured);
  CHECK(!only(metric::copy_bandwidth_fraction, 1, 0, {}, backend_kind::cuda).measured);
  const auto missing = timed(metric::ratio_to_baseline("cub_scan"), 1, 0, e);
  CHECK(!missing.measured);
  CHECK(missing.reason.find("cub_scan") != std::string::npos);
  CHECK(timed(metric::ratio_to_baseline("fastest"), 1, 0, e).reason == "there is no baseline \"fastest\"");
}
