// Random requests of whole warps, of every width and in the shapes that checks treat apart, against an oracle that compares
// every two threads at every byte: in the check for barriers alone and in the one for fences.
#include <doctest/doctest.h>

#include <map>
#include <random>
#include <set>

#include "test_device.h"

namespace simtlab::emulator::testing {
namespace {

constexpr unsigned memory_bytes = 512, threads = 96, phases = 3;

struct warp_access {
  unsigned block = 0, warp = 0, phase = 0;
  site where = 0;
  access kind{};
  unsigned width = 4;
  std::map<unsigned, unsigned> offsets;  // of lanes
  std::map<unsigned, std::uint64_t> values;
};

std::map<unsigned, unsigned> random_lanes(std::mt19937& random, unsigned width) {
  const auto below = [&random](unsigned n) { return static_cast<unsigned>(random() % n); };
  std::map<unsigned, unsigned> lanes;
  const unsigned units = memory_bytes / width, first = below(3) == 0 ? below(32) : 0;
  const unsigned count = below(3) == 0 ? 1 + below(32 - first) : 32 - first, begin = below(units / 4) * (below(2) + 1);
  const unsigned shape = below(9);
  for (unsigned l = first; l < first + count; ++l) {
    unsigned unit = 0;
    switch (shape) {
      case 0:
      case 1:
        unit = begin / 8 * 8 + l;  // linear, aligned
        break;
      case 2:
        unit = begin + l;
        break;
      case 3:
        unit = begin + l % 16 + l / 16 * 40;  // two rows
        break;
      case 4:
        unit = begin + (l & 16);  // two broadcasts
        break;
      case 5:
        unit = begin + 31 - l;
        break;
      case 6:
        unit = begin / 4 * 4 + l % 8 * 4 + l / 8;  // neighbours by lanes far apart
        break;
      case 7:
        unit = begin + l * 4;
        break;
      default:
        unit = below(units);
        break;
    }
    lanes[l] = unit % units * width;
  }
  return lanes;
}

std::vector<warp_access> random_requests(std::mt19937& random, unsigned blocks) {
  const auto below = [&random](unsigned n) { return static_cast<unsigned>(random() % n); };
  const unsigned sites = 1 + below(6), writes = below(4), shift = below(5), values = 1 + below(3);
  std::vector<warp_access> all(2 + below(12));
  for (std::size_t i = 0; i < all.size(); ++i) {
    warp_access& a = all[i];
    a.block = below(blocks);
    a.warp = below(threads / warp_size);
    a.phase = static_cast<unsigned>(i * phases / all.size());
    a.where = 10 + below(sites);
    a.width = 1U << (a.where + shift) % 5;
    a.kind = a.where % 4 < writes ? access::write : a.width == 4 && a.where % 4 == 3 ? access::atomic : access::read;
    a.offsets = random_lanes(random, a.width);
    const bool alike = below(2) == 0;
    for (const auto& [lane, offset] : a.offsets) a.values[lane] = alike ? 7 : below(values);
  }
  return all;
}

struct answer {
  std::set<std::string> between_blocks;  // rule, lines and variable
  std::set<std::string> anywhere;        // lines
};

std::string lines_of(site a, site b) {
  return " " + std::to_string(std::min(a, b)) + "-" + std::to_string(std::max(a, b)) + " x";
}

answer oracle(const std::vector<warp_access>& all) {
  struct touch {
    const warp_access* by;
    unsigned lane;
  };
  answer result;
  for (unsigned byte = 0; byte < memory_bytes; ++byte) {
    std::vector<touch> here;
    std::set<std::pair<std::uint64_t, unsigned>> stored;
    for (const warp_access& a : all) {
      for (const auto& [lane, offset] : a.offsets) {
        if (byte < offset || byte >= offset + a.width) continue;
        here.push_back({&a, lane});
        if (a.kind == access::write) stored.insert({a.values.at(lane), a.width});
      }
    }
    for (const touch& one : here) {
      for (const touch& two : here) {
        const warp_access &a = *one.by, &b = *two.by;
        if (a.kind == b.kind && a.kind != access::write) continue;
        if (a.block == b.block && (a.phase != b.phase || (a.warp == b.warp && one.lane == two.lane))) continue;
        result.anywhere.insert(lines_of(a.where, b.where));
        if (a.block == b.block) continue;
        const bool same = a.kind == access::write && b.kind == access::write && stored.size() == 1;
        result.between_blocks.insert((same ? "same-value-race" : "global-race") + lines_of(a.where, b.where));
      }
    }
  }
  return result;
}

std::set<std::string> lines_of(const std::set<std::string>& findings) {
  std::set<std::string> lines;
  for (const std::string& f : findings) lines.insert(f.substr(f.find(' ')));
  return lines;
}

/// What the checks find; `order`: of the blocks.
std::vector<finding> found_in(const std::vector<warp_access>& all, const std::vector<unsigned>& order, memory_space in,
                              bool with_fences) {
  test_device d;
  address x = 0;
  if (in == memory_space::shared) {
    d.shared_array("x", 0, memory_bytes);
  } else {
    x = d.allocate("x", memory_bytes);
  }
  d.begin_launch({static_cast<unsigned>(order.size()), 1, 1}, {threads, 1, 1}, 0, with_fences);
  test_worker worker(d);
  for (const unsigned block : order) {
    block_order* const ordered = with_fences ? &d.shared.order()->block_begins(block, threads) : nullptr;
    worker.begin_block(block);
    unsigned phase = 0;
    if (in == memory_space::shared) {
      for (unsigned byte = 0; byte < memory_bytes; byte += 4) worker.access_by(0, in, access::write, 1, byte);
      worker.barrier();
    }
    for (const warp_access& a : all) {
      if (a.block != block) continue;
      for (; phase < a.phase; ++phase) worker.barrier();
      worker.request(request_builder(in, a.kind, a.where)
                         .width(a.width)
                         .warp(a.warp)
                         .lanes([&](unsigned l) -> std::optional<address> {
                           const auto at = a.offsets.find(l);
                           return at == a.offsets.end() ? std::nullopt : std::optional(x + at->second);
                         })
                         .values([&](unsigned l) { return a.values.contains(l) ? a.values.at(l) : 0; }));
    }
    CHECK((ordered != nullptr) == with_fences);
    worker.end_block();
  }
  worker.end_launch();
  return d.findings();
}

std::set<std::string> names_of(const std::vector<finding>& findings) {
  const auto names = identities(findings);
  return {names.begin(), names.end()};
}

}  // namespace

TEST_CASE("requests of many blocks: what races between blocks is told, whatever their order; nothing is invented") {
  std::mt19937 random(4);
  int racy = 0, clean = 0;
  for (int round = 0; round < 150; ++round) {
    CAPTURE(round);
    const unsigned blocks = 2 + static_cast<unsigned>(random() % 4);
    const auto all = random_requests(random, blocks);
    const answer expected = oracle(all);
    expected.anywhere.empty() ? ++clean : ++racy;
    std::vector<unsigned> order(blocks);
    for (unsigned i = 0; i < blocks; ++i) order[i] = i;
    std::map<std::string, std::uint64_t> first;
    for (const int run : {0, 1, 2}) {
      const auto findings = found_in(all, order, memory_space::global, false);
      const auto found = names_of(findings);
      for (const std::string& e : expected.between_blocks) {
        const std::string lines = e.substr(e.find(' '));
        CHECK_MESSAGE((found.contains(e) || found.contains("global-race" + lines)), e);
      }
      for (const std::string& lines : lines_of(found)) CHECK_MESSAGE(expected.anywhere.contains(lines), lines);
      CHECK(found.empty() == expected.anywhere.empty());
      std::map<std::string, std::uint64_t> counts;
      for (const finding& f : findings) counts[identity(f)] = f.count;
      if (run == 0) first = counts;
      CHECK(first == counts);
      std::shuffle(order.begin(), order.end(), random);
    }
  }
  CHECK(racy > 20);
  CHECK(clean > 5);
}

TEST_CASE("requests of one block: an element that races is always told, and nothing is invented") {
  std::mt19937 random(5);
  int racy = 0, clean = 0;
  for (int round = 0; round < 250; ++round) {
    CAPTURE(round);
    const auto all = random_requests(random, 1);
    const answer expected = oracle(all);
    expected.anywhere.empty() ? ++clean : ++racy;
    const memory_space in = round % 2 == 0 ? memory_space::shared : memory_space::global;
    const auto found = lines_of(names_of(found_in(all, {0}, in, false)));
    CHECK(found.empty() == expected.anywhere.empty());
    for (const std::string& lines : found) CHECK_MESSAGE(expected.anywhere.contains(lines), lines);
  }
  CHECK(racy > 40);
  CHECK(clean > 40);
}

TEST_CASE("the check for programs with fences tells every pair of lines that races, and no other") {
  std::mt19937 random(6);
  for (int round = 0; round < 150; ++round) {
    CAPTURE(round);
    const unsigned blocks = 1 + static_cast<unsigned>(random() % 3);
    const auto all = random_requests(random, blocks);
    std::vector<unsigned> order(blocks);
    for (unsigned i = 0; i < blocks; ++i) order[i] = blocks - 1 - i;
    CHECK(lines_of(names_of(found_in(all, order, memory_space::global, true))) == oracle(all).anywhere);
  }
}

}  // namespace simtlab::emulator::testing
