// The two race engines on the same random kernels, none of which uses a fence: barriers alone order their threads, so both
// engines can judge them. The vector clocks are the oracle: they look up every pair of accesses.
#include <doctest/doctest.h>

#include <cstdlib>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "test_device.h"

namespace simtlab::emulator::testing {
namespace {

constexpr unsigned words_of_variable = 48, variables = 3;

/// A line of the kernel: what its accesses have in common.
struct code_line {
  memory_space space{};
  access kind{};
  unsigned variable = 0, width = 4;
  unsigned stride = 1;  ///< from lane to lane, in elements; 0: all lanes touch one
  bool scattered = false;
  bool one_value = false;
};

struct random_event {
  enum class type : std::uint8_t { access, barrier, syncwarp } what{};
  site where = 0;
  unsigned warp = 0, first = 0;
  lane_mask lanes = full_warp;
};

/// `blocks`: of one thread each, which share global memory. `warps`: few accesses between many __syncwarp of some lanes.
enum class style : std::uint8_t { any, blocks, warps };

struct random_kernel {
  style of;
  unsigned blocks = 1, threads = 32;
  bool has_syncwarp = false;
  std::vector<code_line> lines;
  std::vector<std::vector<random_event>> events;  ///< by block

  explicit random_kernel(unsigned seed) : of(static_cast<style>(seed % 3)) {
    std::mt19937 random(seed);
    const auto below = [&](unsigned n) { return static_cast<unsigned>(random() % n); };
    blocks = of == style::blocks ? 2 + below(6) : of == style::warps ? 1 : 1 + below(3);
    threads = of == style::blocks ? 32 : 32 * (1 + below(3));
    has_syncwarp = of == style::warps || (of == style::any && below(2) == 0);
    const unsigned writes = 1 + below(4);
    for (unsigned i = 0, count = 2 + below(of == style::warps ? 3 : 8); i < count; ++i) {
      code_line l;
      l.space = of != style::blocks && below(2) == 0 ? memory_space::shared : memory_space::global;
      l.kind = below(8) == 0 ? access::atomic : below(6) < writes ? access::write : access::read;
      l.variable = below(variables);
      l.width = l.kind == access::atomic || of == style::warps ? 4 : 1U << below(5);
      l.stride = of == style::warps ? 1 : below(4);
      l.scattered = of != style::warps && below(5) == 0;
      l.one_value = below(3) == 0;
      lines.push_back(l);
    }
    for (unsigned block = 0; block < blocks; ++block) {
      events.emplace_back();
      const unsigned most = of == style::any ? 20 : 6;
      for (unsigned i = 0, count = 2 + below(most); i < count; ++i) events.back().push_back(random_one(below));
    }
  }

 private:
  template <class Below>
  random_event random_one(Below& below) const {
    random_event e;
    e.warp = of == style::blocks || (of == style::warps && below(4) != 0) ? 0 : below(threads / warp_size);
    const auto some = [&] { return static_cast<lane_mask>(below(1U << 16) << 16 | below(1U << 16)); };
    if (of == style::warps) e.lanes = (some() & some() & (below(2) == 0 ? some() : full_warp)) | 1U << below(32);
    if (of == style::any && below(3) == 0) e.lanes = some() | 1U << below(32);
    if (of == style::blocks) e.lanes = 1;
    e.where = 1 + below(static_cast<unsigned>(lines.size()));
    e.first = of != style::any ? below(4) : below(3) == 0 ? below(words_of_variable) : e.warp * 8;
    const unsigned kind = below(8);
    if (kind == 0) e.what = random_event::type::barrier;
    if (kind != 0 && kind < (of == style::warps ? 5U : 2U) && has_syncwarp) {
      e.what = random_event::type::syncwarp;
      if (of == style::warps) e.lanes |= some();
    }
    return e;
  }
};

/// `lines variable` of all races that one engine finds.
std::set<std::string> races_of(const random_kernel& k, bool by_vector_clocks) {
  test_device d;
  std::vector<address> begins;
  for (unsigned v = 0; v < variables; ++v) {
    d.shared_array("s" + std::to_string(v), 1024 * v, 4 * words_of_variable);
    begins.push_back(d.allocate("g" + std::to_string(v), 4 * words_of_variable));
  }
  d.begin_launch({k.blocks, 1, 1}, {k.threads, 1, 1}, 0, by_vector_clocks);
  test_worker w(d);
  for (unsigned block = 0; block < k.blocks; ++block) {
    w.begin_block(block);
    for (const random_event& e : k.events[block]) {
      if (e.what == random_event::type::barrier) {
        w.barrier();
        continue;
      }
      if (e.what == random_event::type::syncwarp) {
        w.syncwarp(e.warp, e.lanes);
        continue;
      }
      const code_line& l = k.lines[e.where - 1];
      const unsigned elements = 4 * words_of_variable / l.width;
      const address begin = l.space == memory_space::shared ? 1024 * l.variable : begins[l.variable];
      w.request(request_builder(l.space, l.kind, e.where)
                    .width(l.width)
                    .warp(e.warp)
                    .lanes([&](unsigned lane) -> std::optional<address> {
                      if ((e.lanes >> lane & 1) == 0) return std::nullopt;
                      const unsigned step = l.scattered ? lane * lane * 7 : lane * l.stride;
                      return begin + address{(e.first + step) % elements} * l.width;
                    })
                    .values([&](unsigned lane) { return l.one_value ? 5 : 100 * e.where + lane; }));
    }
    w.end_block();
  }
  w.end_launch();
  std::set<std::string> found;
  for (const finding& f : d.findings()) {
    const std::string name = identity(f);
    if (name.find("-race ") != std::string::npos) found.insert(name.substr(name.find(' ') + 1));
  }
  return found;
}

std::set<std::string> variables_of(const std::set<std::string>& races) {
  std::set<std::string> names;
  for (const std::string& r : races) names.insert(r.substr(r.find(' ') + 1));
  return names;
}

std::string text_of(const std::set<std::string>& races) {
  std::string text;
  for (const std::string& r : races) text += r + "; ";
  return text;
}

}  // namespace

TEST_CASE("both race engines judge kernels without fences alike") {
  const char* wanted = std::getenv("SIMTLAB_RANDOM_KERNELS");
  const unsigned kernels = wanted == nullptr ? 2000 : static_cast<unsigned>(std::atoi(wanted));
  unsigned racy = 0, clean = 0;
  for (unsigned seed = 1; seed <= kernels; ++seed) {
    const random_kernel k(seed);
    const std::set<std::string> epochs = races_of(k, false), clocks = races_of(k, true);
    CAPTURE(seed);
    CAPTURE(text_of(epochs));
    CAPTURE(text_of(clocks));
    // Which variables race is exact, and between blocks which lines do. Inside a block the epochs may leave lines out.
    CHECK(variables_of(epochs) == variables_of(clocks));
    for (const std::string& race : epochs) CHECK_MESSAGE((k.has_syncwarp || clocks.contains(race)), race);
    if (k.of == style::blocks) CHECK(epochs == clocks);
    ++(clocks.empty() ? clean : racy);
  }
  CHECK(racy > kernels / 4);
  CHECK(clean > kernels / 20);
}

}  // namespace simtlab::emulator::testing
