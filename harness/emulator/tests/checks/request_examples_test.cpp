#include "observers/request_examples.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <random>

#include "test_device.h"

namespace simtlab::emulator::testing {
namespace {

constexpr observer_options with_examples() {
  observer_options wanted;
  wanted.checks = false;
  wanted.request_examples = true;
  return wanted;
}

std::vector<example_place> examples_of(const test_device& d, const std::vector<test_worker*>& workers) {
  std::vector<observer_set*> sets;
  for (test_worker* w : workers) {
    w->end_launch();
    sets.push_back(&w->set);
  }
  launch_report result;
  collect(sets, line_of, d.map, result);
  return result.examples;
}

request_builder read(site line, address at, std::uint64_t distance, unsigned lanes = warp_size) {
  request_builder r(memory_space::global, access::read, line);
  r.lanes([=](unsigned l) { return l < lanes ? std::optional(at + distance * l) : std::nullopt; });
  return r;
}

std::string words(const request_example& e) {
  constexpr std::array names{"most", "worst", "partial", "random"};
  std::string text;
  for (const kept_for why : e.reasons) text += std::string(names.at(static_cast<std::size_t>(why))) + " ";
  return text;
}

}  // namespace

TEST_CASE("the most frequent, the worst and the first partial request of a place are kept, whole") {
  test_device d;
  const address in = d.allocate("in", 1 << 16);
  d.begin_launch({3, 1, 1}, {32, 1, 1});
  test_worker w(d, with_examples());
  for (const unsigned block : {0U, 1U, 2U}) {
    w.begin_block(block);
    w.request(read(5, in + 128 * block, 4));
    if (block == 1) w.request(read(5, in, 128));
    if (block == 2) w.request(read(5, in, 4, 7));
    w.end_block();
  }

  const std::vector<example_place> places = examples_of(d, {&w});
  REQUIRE(places.size() == 1);
  const example_place& p = places[0];
  CHECK(p.where.line == 5);
  CHECK(p.variable == "in");
  CHECK(p.begin == in);
  CHECK(p.bytes == 1 << 16);
  CHECK(p.width == 4);
  CHECK(p.patterns == 3);
  CHECK_FALSE(p.has_more_patterns);
  REQUIRE(p.examples.size() == 3);
  CHECK(words(p.examples[0]).starts_with("most "));
  CHECK(p.examples[0].times == 3);  // in three blocks, whose lines look alike
  CHECK(p.examples[0].block == coordinates{0, 0, 0});
  CHECK(p.examples[0].addresses[31] == in + 124);
  CHECK(p.examples[0].cost.sectors == 4);
  CHECK(words(p.examples[1]).starts_with("worst "));
  CHECK(p.examples[1].times == 1);
  CHECK(p.examples[1].block == coordinates{1, 0, 0});
  CHECK(p.examples[1].cost.sectors == 32);
  CHECK(words(p.examples[2]).starts_with("partial "));
  CHECK(p.examples[2].active == 0x7f);
  CHECK(p.examples[2].addresses[7] == 0);
}

TEST_CASE("no picture is kept of local memory, and its repetitions count for nothing else") {
  test_device d;
  const address in = d.allocate("in", 4096);
  d.begin_launch({1, 1, 1}, {32, 1, 1});
  test_worker w(d, with_examples());
  const auto again = [&](std::uint32_t pattern_id, std::uint64_t times) {
    for (observer* o : w.set.observers()) o->repeated(pattern_id, times);
  };
  const auto local = [](std::uint32_t pattern_id) {
    request_builder r(memory_space::local, access::read, 6);
    r.lanes([](unsigned) { return std::optional<address>(0x1000); });
    r.pattern_id(pattern_id);
    return r;
  };
  w.begin_block(0);
  w.request(local(7));  // the first of its place
  again(7, 3);
  w.request(read(5, in, 4).pattern_id(2));
  again(2, 1);
  w.request(local(2));  // a pointer that goes to an array of the thread now
  again(2, 40);
  w.end_block();

  const std::vector<example_place> places = examples_of(d, {&w});
  REQUIRE(places.size() == 1);
  CHECK(places[0].where.line == 5);
  CHECK(places[0].examples.front().times == 2);
}

TEST_CASE("a warp that the block does not fill is whole") {
  test_device d;
  const address in = d.allocate("in", 4096);
  d.begin_launch({1, 1, 1}, {40, 1, 1});
  test_worker w(d, with_examples());
  w.begin_block(0);
  w.request(read(5, in, 4).warp(1));  // made for 32 lanes
  request_builder eight = read(6, in, 4, 8);
  w.request(eight.warp(1));
  w.end_block();
  for (const example_place& p : examples_of(d, {&w}))
    for (const request_example& e : p.examples) CHECK(words(e).find("partial") == std::string::npos);
}

TEST_CASE("repetitions count, those after a pattern that was told between, too") {
  test_device d;
  const address in = d.allocate("in", 1 << 16);
  d.begin_launch({1, 1, 1}, {32, 1, 1});
  test_worker w(d, with_examples());
  w.begin_block(0);
  w.request(read(5, in, 4).pattern_id(1));
  for (observer* o : w.set.observers()) o->repeated(1, 9);
  w.request(read(5, in, 8).pattern_id(1));
  for (observer* o : w.set.observers()) o->repeated(1, 4);
  w.end_block();
  const std::vector<example_place> places = examples_of(d, {&w});
  REQUIRE(places.at(0).examples.size() == 2);
  CHECK(places[0].examples[0].times == 10);
  CHECK(places[0].examples[1].times == 5);
}

TEST_CASE("what is kept depends neither on the number of workers nor on the order of blocks") {
  std::mt19937 random(7);
  for (int trial = 0; trial < 20; ++trial) {
    constexpr unsigned blocks = 24;
    std::vector<std::vector<std::uint64_t>> distances(blocks);  // more patterns than are counted, of unequal frequency
    const unsigned kinds = trial % 2 == 0 ? 5 : 500;
    for (auto& of : distances)
      for (int i = 0; i < 12; ++i) of.push_back(4 * (random() % kinds));
    const auto with = [&](unsigned count, bool backwards) {
      test_device d;
      const address in = d.allocate("in", 1 << 20);
      d.begin_launch({blocks, 1, 1}, {64, 1, 1});
      std::vector<std::unique_ptr<test_worker>> workers;
      std::vector<test_worker*> all;
      for (unsigned i = 0; i < count; ++i) {
        workers.push_back(std::make_unique<test_worker>(d, with_examples()));
        all.push_back(workers.back().get());
      }
      for (unsigned i = 0; i < blocks; ++i) {
        const unsigned block = backwards ? blocks - 1 - i : i;
        test_worker& w = *all[block % count];
        w.begin_block(block);
        for (std::size_t n = 0; n < distances[block].size(); ++n) {
          request_builder r = read(5, in, distances[block][n], n % 5 == 4 ? 9 : 32);
          w.request(r.warp(n % 2));
        }
        w.end_block();
      }
      std::string text;
      for (const example_place& p : examples_of(d, all)) {
        text += std::to_string(p.patterns) + (p.has_more_patterns ? "+" : "");
        for (const request_example& e : p.examples)
          text += "; " + words(e) + std::to_string(e.block.x) + " " + std::to_string(e.warp) + " " +
                  std::to_string(e.times) + " " + std::to_string(e.addresses[1] - e.addresses[0]);
      }
      return text;
    };
    const std::string one = with(1, false);
    CHECK(one.find(kinds == 5 ? "+" : "64+") == (kinds == 5 ? std::string::npos : 0));
    CHECK(with(1, true) == one);
    CHECK(with(2, false) == one);
    CHECK(with(5, true) == one);
  }
}

}  // namespace simtlab::emulator::testing
