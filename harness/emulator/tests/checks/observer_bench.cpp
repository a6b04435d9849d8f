// How fast observers take requests: the request stream of a tiled matrix product (16 x 16 blocks, shared tiles), made up
// here, without fibers or hooks. Prints one line per set of observers; `observer_bench [n]`: n x n matrices.
#include <cstdio>
#include <cstdlib>
#include <ctime>

#include "report/finding_layout.h"
#include "test_device.h"

namespace simtlab::emulator::testing {
namespace {

constexpr unsigned tile = 16;

/// One request whose addresses are a fixed pattern plus a moving base, as the trace would deliver it.
class moving_request {
 public:
  template <class Distance>
  moving_request(memory_space space, access kind, site where, variable_id variable, Distance distance) {
    for (unsigned l = 0; l < warp_size; ++l) distance_[l] = distance(l);
    r_.space = space;
    r_.kind = kind;
    r_.where = r_.pattern_id = where;
    r_.variable = variable;
    r_.active = full_warp;
    r_.addresses = addresses_.data();
    r_.values = kind == access::read ? nullptr : addresses_.data();
  }
  const warp_request& at(address base, unsigned warp) {
    for (unsigned l = 0; l < warp_size; ++l) addresses_[l] = base + distance_[l];
    const address phase = r_.space == memory_space::shared ? 4 : 128;  // what the trace promises of a repetition
    r_.repeats = base % phase == last_ % phase;
    r_.warp = warp;
    last_ = base;
    return r_;
  }

 private:
  warp_request r_;
  std::array<address, warp_size> distance_{}, addresses_{};
  address last_ = 1;
};

std::uint64_t run(observer_options wanted, unsigned n) {
  test_device d;
  const address a = d.allocate("a", 4ULL * n * n), b = d.allocate("b", 4ULL * n * n), c = d.allocate("c", 4ULL * n * n);
  const variable_id va = d.map.find(a)->id, vb = d.map.find(b)->id, vc = d.map.find(c)->id;
  const variable_id vs = d.shared_array("tile_a", 0, 1024), vt = d.shared_array("tile_b", 1280, 1024);
  const unsigned blocks = n / tile;
  d.begin_launch({blocks, blocks, 1}, {tile, tile, 1});
  test_worker w(d, wanted);
  const auto rows = [n](unsigned l) { return 4 * (l / tile * n + l % tile); };
  const auto in_tile = [](unsigned l) { return 4 * l; };
  using enum memory_space;
  moving_request load_a(global, access::read, 10, va, rows), load_b(global, access::read, 11, vb, rows),
      store_a(shared, access::write, 13, vs, in_tile), store_b(shared, access::write, 12, vt, in_tile),
      read_a(shared, access::read, 20, vs, [](unsigned l) { return 4 * (l / tile * tile); }),
      read_b(shared, access::read, 21, vt, [](unsigned l) { return 4 * (l % tile); }),
      store_c(global, access::write, 30, vc, rows);
  std::uint64_t requests = 0;
  std::map<std::uint32_t, std::uint64_t> repetitions;  // of slots
  const auto send = [&](const warp_request& r) {
    ++requests;
    std::uint64_t& again = repetitions[r.pattern_id];
    for (observer* o : w.set.observers()) {
      const bool sums = o->request_detail() == detail::aggregate;
      if (sums && !r.repeats && again > 0) o->repeated(r.pattern_id, again);
      if (!sums || !r.repeats) o->request(r);
    }
    again = r.repeats ? again + 1 : 0;
  };
  for (unsigned block = 0; block < blocks * blocks; ++block) {
    w.begin_block(block);
    const address row = 4ULL * (block / blocks) * tile * n, column = 4ULL * (block % blocks) * tile;
    for (unsigned phase = 0; phase < blocks; ++phase) {
      for (unsigned warp = 0; warp < 8; ++warp) {
        send(load_a.at(a + row + 4ULL * phase * tile + 8ULL * warp * n, warp));
        send(store_a.at(128 * warp, warp));
        send(load_b.at(b + 4ULL * phase * tile * n + column + 8ULL * warp * n, warp));
        send(store_b.at(1280 + 128 * warp, warp));
      }
      w.barrier();
      for (unsigned warp = 0; warp < 8; ++warp) {
        for (unsigned k = 0; k < tile; ++k) {
          send(read_a.at(128 * warp + 4 * k, warp));
          send(read_b.at(1280 + 64 * k, warp));
        }
      }
      w.barrier();
    }
    for (unsigned warp = 0; warp < 8; ++warp) send(store_c.at(c + row + column + 8ULL * warp * n, warp));
    w.end_block();
  }
  for (const auto& [pattern_id, again] : repetitions)
    for (observer* o : w.set.observers()) o->repeated(pattern_id, again);
  w.end_launch();
  if (const auto found = d.findings(); !found.empty()) {
    std::fprintf(stderr, "the product is clean, but: %s\n", finding_text(found[0]).c_str());
    std::exit(1);
  }
  return requests;
}

}  // namespace
}  // namespace simtlab::emulator::testing

int main(int argc, char** argv) {
  using namespace simtlab::emulator;
  const unsigned n = argc > 1 ? static_cast<unsigned>(std::atoi(argv[1])) : 256;
  struct row {
    const char* name;
    observer_options wanted;
  };
  const row rows[] = {{"no observers", {false, false}},
                      {"counters", {true, false}},
                      {"checks", {false, true}},
                      {"counters and checks", {true, true}}};
  for (const row& r : rows) {
    const std::clock_t begin = std::clock();  // processor time: the machine may be shared
    const std::uint64_t requests = testing::run(r.wanted, n);
    const double took = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
    std::printf("%-20s %10llu requests  %7.3f s  %7.2f M requests/s  %7.1f M lane accesses/s\n", r.name,
                static_cast<unsigned long long>(requests), took, static_cast<double>(requests) / took / 1e6,
                static_cast<double>(requests) * warp_size / took / 1e6);
  }
}
