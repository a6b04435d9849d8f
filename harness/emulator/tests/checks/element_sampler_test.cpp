#include "observers/element_sampler.h"

#include <doctest/doctest.h>

#include <map>
#include <random>
#include <tuple>

#include "test_device.h"

namespace simtlab::emulator::testing {
namespace {

observer_options sampling(std::size_t most) {
  observer_options wanted;
  wanted.checks = false;
  wanted.recorded_accesses = 1 << 20;
  wanted.sampled_accesses = most;
  return wanted;
}

/// Variable, offset; with thread, epoch and line of each access.
using element = std::pair<std::string, std::uint64_t>;
using accesses_by_element = std::map<element, std::vector<std::tuple<std::uint32_t, std::uint64_t, int>>>;

accesses_by_element by_element(const std::vector<recorded_access>& all) {
  accesses_by_element made;
  for (const recorded_access& a : all) made[{a.variable, a.offset}].emplace_back(a.thread, a.epoch, a.where.line);
  for (auto& [of, accesses] : made) std::ranges::sort(accesses);
  return made;
}

/// Three blocks that store to and read a tile, with barriers in between.
launch_report run(std::size_t most, unsigned seed) {
  std::mt19937 generator(seed);
  test_device d;
  const address in = d.allocate("in", 1 << 16);
  d.shared_array("tile", 0, 4096);
  d.begin_launch({3, 1, 1}, {64, 1, 1});
  test_worker w(d, sampling(most));
  for (const unsigned block : {2U, 0U, 1U}) {
    w.begin_block(block);
    for (int n = 0; n < 60; ++n) {
      if (n % 9 == 8) w.barrier();
      const bool is_shared = generator() % 2 == 0;
      request_builder r(is_shared ? memory_space::shared : memory_space::global,
                        is_shared ? access::write : access::read, 1 + static_cast<site>(generator() % 5));
      const std::uint64_t shift = 4 * (generator() % 64);
      r.lanes([&](unsigned l) { return std::optional((is_shared ? 0 : in) + shift + 4 * l); });
      w.request(r.warp(generator() % 2));
    }
    w.end_block();
  }
  return report_of(d, w);
}

accesses_by_element of_block_1(const launch_report& l) {
  std::vector<recorded_access> all;
  for (const recorded_access& a : l.recorded)
    if (a.block == 1) all.push_back(a);
  return by_element(all);
}

}  // namespace

TEST_CASE("with room for all of them the accesses of the second block are kept, as another recorder saw them") {
  const launch_report l = run(1 << 20, 3);
  REQUIRE(l.sample);
  CHECK(l.sample->block == coordinates{1, 0, 0});
  CHECK(l.sample->barriers.size() == 6);
  CHECK(by_element(l.sample->accesses) == of_block_1(l));
}

TEST_CASE("where room is short fewer elements are kept, each with every access to it") {
  for (unsigned seed = 0; seed < 20; ++seed)
    for (const std::size_t most : {1'000U, 300U, 40U}) {
      const launch_report l = run(most, seed);
      REQUIRE(l.sample);
      CHECK(l.sample->accesses.size() <= most);
      const accesses_by_element all = of_block_1(l), kept = by_element(l.sample->accesses);
      CHECK((kept.size() < all.size() && (most < 300 || !kept.empty())));
      for (const auto& [of, accesses] : kept) CHECK(accesses == all.at(of));
    }
}

}  // namespace simtlab::emulator::testing
