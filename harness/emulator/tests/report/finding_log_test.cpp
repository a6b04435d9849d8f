#include "report/finding_log.h"

#include <doctest/doctest.h>

#include <thread>

using namespace simtlab::emulator;

namespace {

source_line line_of(site s) { return {"kernel.cu", static_cast<int>(s / 100)}; }

raw_finding race(site first, site second, std::string message, std::string variable = "tile") {
  return {
      rule::shared_race, "k", std::move(variable), {first, false, {}, {}, "writes"}, {second, false, {}, {}, "reads"},
      std::move(message)};
}

}  // namespace

TEST_CASE("only the first sighting is announced; the others are counted") {
  finding_log log;
  CHECK(log.first_time(rule::shared_race, 100, 200, 1));
  log.add(race(100, 200, "first"), 1);
  CHECK_FALSE(log.first_time(rule::shared_race, 100, 200, 1));
  CHECK_FALSE(log.first_time(rule::shared_race, 200, 100, 1));
  CHECK(log.first_time(rule::shared_race, 100, 200, 2));
  log.add(race(100, 200, "other variable", "row"), 2);
  const auto found = log.take(line_of, {});
  REQUIRE(found.size() == 2);
  CHECK(found[0].variable == "row");
  CHECK(found[0].count == 1);
  CHECK(found[1].message == "first");
  CHECK(found[1].count == 3);
  CHECK(log.take(line_of, {}).empty());
}

TEST_CASE("the example with the lowest block is kept, whoever came first") {
  for (const bool ascending : {true, false}) {
    finding_log log;
    for (int i = 0; i < 3; ++i) {
      const auto block = static_cast<std::uint64_t>(ascending ? i : 2 - i);
      if (log.first_time(rule::shared_race, 100, 200, 1, {1, block, 0})) {
        log.add(race(100, 200, "block " + std::to_string(block)), 1, {1, block, 0});
      }
    }
    const auto found = log.take(line_of, {});
    REQUIRE(found.size() == 1);
    CHECK(found[0].message == "block 0");
    CHECK(found[0].count == 3);
  }
}

TEST_CASE("findings whose sites lie on the same lines are one finding") {
  finding_log log;
  for (const auto& [a, b] : {std::pair<site, site>{110, 210}, {120, 220}, {230, 130}}) {
    REQUIRE(log.first_time(rule::shared_race, a, b, 1));
    log.add(race(a, b, "from " + std::to_string(a)), 1);
  }
  const auto found = log.take(line_of, {});
  REQUIRE(found.size() == 1);
  CHECK(found[0].count == 3);
  CHECK(found[0].message == "from 110");
}

TEST_CASE("a race of different values swallows the same-value race of the same lines and variable") {
  finding_log log;
  raw_finding same = race(100, 100, "same value");
  same.what = rule::same_value_race;
  REQUIRE(log.first_time(same.what, 100, 100, 1));
  log.add(same, 1);
  REQUIRE(log.first_time(rule::shared_race, 110, 110, 1));
  log.add(race(110, 110, "race"), 1);
  const auto found = log.take(line_of, {});
  REQUIRE(found.size() == 1);
  CHECK(found[0].what == rule::shared_race);
  CHECK(found[0].count == 1);
}

TEST_CASE("severity decides the order, then the line; overrides are obeyed") {
  finding_log log;
  for (const auto& [what, where] :
       {std::pair{rule::leak, site{100}}, {rule::misaligned, site{300}}, {rule::out_of_bounds, site{200}}}) {
    log.first_time(what, where, 0, 0);
    log.add({what, "", "", {where, false, {}, {}, ""}, {}, ""}, 0);
  }
  const auto found = log.take(line_of, {{rule::misaligned, severity::note}});
  REQUIRE(found.size() == 3);
  CHECK(found[0].what == rule::out_of_bounds);
  CHECK(found[1].what == rule::leak);
  CHECK(found[2].what == rule::misaligned);
  CHECK(found[2].level == severity::note);
}

TEST_CASE("several workers give the same findings as one") {
  finding_log log;
  std::vector<std::thread> workers;
  for (std::uint64_t w = 0; w < 4; ++w) {
    workers.emplace_back([&log, w] {
      for (std::uint64_t block = w; block < 400; block += 4) {
        for (site s = 100; s < 1100; s += 100) {
          const sighting rank{1, block, 0};
          if (log.first_time(rule::shared_race, s, s, 1, rank)) log.add(race(s, s, std::to_string(block)), 1, rank);
        }
      }
    });
  }
  for (auto& w : workers) w.join();
  const auto found = log.take(line_of, {});
  REQUIRE(found.size() == 10);
  for (const finding& f : found) {
    CHECK(f.count == 400);
    CHECK(f.message == "0");
  }
}

TEST_CASE("a barrier that not all threads reach comes before the races of its kernel") {
  finding_log log;
  const auto add = [&](rule what, site where, const char* kernel) {
    log.first_time(what, where, where, 0);
    log.add({what, kernel, "", {where, false, {}, {}, ""}, {where, false, {}, {}, ""}, ""}, 0);
  };
  add(rule::shared_race, 100, "k");
  add(rule::out_of_bounds, 200, "k");
  add(rule::divergent_barrier, 300, "k");
  add(rule::divergent_barrier, 400, "clean of races");
  const auto found = log.take(line_of, {});
  REQUIRE(found.size() == 4);
  CHECK(found[0].what == rule::divergent_barrier);
  CHECK(found[0].kernel == "k");
  CHECK(found[3].kernel == "clean of races");
}

TEST_CASE("what orders the lanes of one warp is no advice where threads of different warps race in the kernel, too") {
  for (const bool between_warps : {false, true}) {
    finding_log log;
    CHECK(log.first_time(rule::shared_race, 100, 200, 1));
    log.add(race(100, 200, std::string("Race.") + warp_advice_mark), 1);
    if (between_warps) log.note_race_between_warps("k");
    log.note_race_between_warps("other");
    const auto found = log.take(line_of, {});
    REQUIRE(found.size() == 1);
    CHECK(
        found[0].message.starts_with(between_warps ? "Race. Put a __syncthreads() between" : "Race. Both threads are"));
  }
}
