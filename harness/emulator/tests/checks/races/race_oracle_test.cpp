// Random accesses against an oracle that compares every pair of accesses: whatever the order of blocks, the number of
// workers and the host threads they run on, the findings are exactly the oracle's.
#include <doctest/doctest.h>

#include <array>
#include <random>
#include <set>
#include <thread>

#include "test_device.h"

namespace simtlab::emulator::testing {
namespace {

struct one_access {
  unsigned agent = 0;  // block, or thread
  unsigned phase = 0;  // barriers before it
  access kind{};
  site where = 0;
  unsigned offset = 0, width = 0;
  std::uint64_t value = 0;
};

bool conflict(access a, access b) { return a != b || a == access::write; }

/// The identities of all races, by comparing every two accesses at every byte.
std::set<std::string> oracle(const std::vector<one_access>& all, const std::string& race, const std::string& variable) {
  std::set<std::string> found, weak;
  for (unsigned byte = 0; byte < 32; ++byte) {
    for (unsigned phase = 0; phase < 8; ++phase) {
      std::vector<const one_access*> here;
      std::set<std::pair<std::uint64_t, unsigned>> stored;
      for (const one_access& a : all) {
        if (byte < a.offset || byte >= a.offset + a.width || a.phase != phase) continue;
        here.push_back(&a);
        if (a.kind == access::write) stored.insert({a.value, a.width});
      }
      for (const one_access* a : here) {
        for (const one_access* b : here) {
          if (a->agent == b->agent || !conflict(a->kind, b->kind)) continue;
          const std::string lines = " " + std::to_string(std::min(a->where, b->where)) + "-" +
                                    std::to_string(std::max(a->where, b->where)) + " " + variable;
          const bool same = a->kind == access::write && b->kind == access::write && stored.size() == 1;
          (same ? weak : found).insert((same ? "same-value-race" : race) + lines);
        }
      }
    }
  }
  for (const std::string& w : weak) {
    if (!found.contains(race + w.substr(w.find(' ')))) found.insert(w);
  }
  return found;
}

std::vector<one_access> random_accesses(std::mt19937& random, unsigned agents, unsigned count, bool bytes,
                                        unsigned phases) {
  const auto below = [&random](unsigned n) { return static_cast<unsigned>(random() % n); };
  const unsigned sites = 1 + below(12), words = 1 + below(3), values = 1 + below(2), writes = 1 + below(6);
  std::vector<one_access> all;
  for (unsigned i = 0; i < count; ++i) {
    one_access a;
    a.agent = below(agents);
    a.phase = i * phases / count;
    a.where = 10 + below(sites);
    // One kind and width for a line of code.
    a.kind = a.where % 5 == 0 ? access::atomic : a.where % 7 < writes ? access::write : access::read;
    a.width = bytes ? 1U << (a.where % 3) : 4;
    a.offset = below(words) * 8 + (bytes ? below(8 / a.width) * a.width : 0);
    a.value = below(values);
    all.push_back(a);
  }
  return all;
}

std::set<std::string> as_set(const std::vector<finding>& findings) {
  const auto names = identities(findings);
  return {names.begin(), names.end()};
}

}  // namespace

TEST_CASE("races between blocks are the oracle's, for any order, with one worker or several") {
  std::mt19937 random(20240607);
  for (int round = 0; round < 400; ++round) {
    CAPTURE(round);
    const unsigned blocks = 2 + static_cast<unsigned>(random() % 7);
    const auto all = random_accesses(random, blocks, 4 + static_cast<unsigned>(random() % 40), round % 2 == 1, 1);
    const auto expected = oracle(all, "global-race", "x");
    std::vector<finding> first;
    for (const unsigned workers : {1U, 1U, 2U, 3U}) {
      test_device d;
      const address x = d.allocate("x", 32);
      d.begin_launch({blocks, 1, 1}, {32, 1, 1});
      std::vector<unsigned> order(blocks);
      for (unsigned i = 0; i < blocks; ++i) order[i] = i;
      std::shuffle(order.begin(), order.end(), random);
      std::vector<std::unique_ptr<test_worker>> team;
      for (unsigned w = 0; w < workers; ++w) team.push_back(std::make_unique<test_worker>(d));
      const auto run = [&](unsigned w) {
        for (unsigned i = w; i < blocks; i += workers) {
          team[w]->begin_block(order[i]);
          for (const one_access& a : all) {
            if (a.agent == order[i])
              team[w]->access_by(0, memory_space::global, a.kind, a.where, x + a.offset, a.value, a.width);
          }
          team[w]->end_block();
        }
      };
      std::vector<std::thread> threads;
      for (unsigned w = 1; w < workers; ++w) threads.emplace_back(run, w);
      run(0);
      for (auto& t : threads) t.join();
      for (auto& w : team) w->end_launch();
      const auto found = d.findings();
      REQUIRE(as_set(found) == expected);
      if (first.empty()) first = found;
      REQUIRE(first.size() == found.size());
      for (std::size_t i = 0; i < found.size(); ++i) {
        CHECK(found[i].count == first[i].count);
        CHECK(found[i].message == first[i].message);
        CHECK(found[i].first.action == first[i].first.action);
        CHECK(found[i].second.action == first[i].second.action);
      }
    }
  }
}

TEST_CASE("races inside a block: none is invented, and an element that races is always told") {
  std::mt19937 random(7);
  int racy = 0, clean = 0;
  for (int round = 0; round < 600; ++round) {
    CAPTURE(round);
    const bool in_shared = round % 4 < 2;
    const auto all = random_accesses(random, 70, 3 + static_cast<unsigned>(random() % 24), round % 2 == 1, 3);
    const auto expected = oracle(all, in_shared ? "shared-race" : "global-race", "x");
    single_block b(96);
    const address x = in_shared ? 0 : b.device.allocate("x", 32);
    if (in_shared) b.device.shared_array("x", 0, 32);
    unsigned phase = 0;
    for (unsigned byte = 0; byte < 32; byte += 4) {
      b.run().access_by(0, in_shared ? memory_space::shared : memory_space::global, access::write, 1, x + byte);
    }
    b.run().barrier();
    for (const one_access& a : all) {
      for (; phase < a.phase; ++phase) b.run().barrier();
      b.run().access_by(a.agent, in_shared ? memory_space::shared : memory_space::global, a.kind, a.where, x + a.offset,
                        a.value, a.width);
    }
    const auto found = as_set(b.findings());
    CHECK(found.empty() == expected.empty());
    for (const std::string& f : found) CHECK_MESSAGE(expected.contains(f), f);
    expected.empty() ? ++clean : ++racy;
  }
  CHECK(racy > 50);
  CHECK(clean > 50);
}

TEST_CASE(
    "races between lanes that a __syncwarp may order: none is invented, and an element that races is always told") {
  std::mt19937 random(8);
  int racy = 0, clean = 0;
  for (int round = 0; round < 600; ++round) {
    CAPTURE(round);
    const unsigned threads = 3 + static_cast<unsigned>(random() % 45);
    auto all = random_accesses(random, threads, 3 + static_cast<unsigned>(random() % 16), round % 2 == 1, 1);
    single_block b(64);
    b.device.shared_array("x", 0, 32);
    for (unsigned byte = 0; byte < 32; byte += 4) b.run().access_by(0, memory_space::shared, access::write, 1, byte);
    b.run().barrier();
    // An access's phase: how often its warp has come together before it.
    std::array<unsigned, 2> met{};
    for (one_access& a : all) {
      for (const unsigned warp : {0U, 1U}) {
        if (random() % 3 != 0) continue;
        b.run().syncwarp(warp);
        ++met[warp];
      }
      a.phase = met[a.agent / warp_size];
      b.run().access_by(a.agent, memory_space::shared, a.kind, a.where, a.offset, a.value, a.width);
    }
    std::set<std::string> expected;
    for (const one_access& one : all) {
      for (const one_access& two : all) {
        const bool meet = one.offset < two.offset + two.width && two.offset < one.offset + one.width;
        const bool ordered =
            one.agent / warp_size == two.agent / warp_size && (one.agent == two.agent || one.phase != two.phase);
        if (!meet || ordered || !conflict(one.kind, two.kind)) continue;
        expected.insert(" " + std::to_string(std::min(one.where, two.where)) + "-" +
                        std::to_string(std::max(one.where, two.where)) + " x");
      }
    }
    const auto found = as_set(b.findings());
    CHECK(found.empty() == expected.empty());
    // Where other warps touch an element too, lines of a warp that its barrier orders may be told beside those that race.
    for (const std::string& f : found)
      CHECK_MESSAGE((threads > warp_size || expected.contains(f.substr(f.find(' ')))), f);
    expected.empty() ? ++clean : ++racy;
  }
  CHECK(racy > 50);
  CHECK(clean > 50);
}

}  // namespace simtlab::emulator::testing
