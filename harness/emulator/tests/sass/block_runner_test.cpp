#include "sass/block_runner.h"

#include <doctest/doctest.h>

#include <array>
#include <bit>
#include <cmath>
#include <numeric>
#include <random>

#include "core/memory_map.h"
#include "machine.h"

namespace simtlab::emulator::testing {
namespace {

/// Keeps what it is told.
class all_requests final : public observer {
 public:
  struct told {
    warp_request request;
    std::vector<address> addresses;
  };
  void request(const warp_request& r) override { requests.push_back({r, {r.addresses, r.addresses + warp_size}}); }
  void barrier(const barrier_event& e) override { barriers.push_back(e); }
  void warp_primitive(const warp_primitive_event& e) override { primitives.push_back(e); }
  [[nodiscard]] std::size_t count(memory_space space, access kind) const {
    return static_cast<std::size_t>(std::ranges::count_if(
        requests, [&](const told& t) { return t.request.space == space && t.request.kind == kind; }));
  }
  std::vector<told> requests;
  std::vector<barrier_event> barriers;
  std::vector<warp_primitive_event> primitives;
};

/// Counts requests that are told once and repeated.
class summed_requests final : public observer {
 public:
  [[nodiscard]] detail request_detail() const override { return detail::aggregate; }
  void request(const warp_request&) override { ++all; }
  void repeated(std::uint32_t, std::uint64_t times) override { all += times; }
  std::uint64_t all = 0;
};

/// Instructions that warps and lanes executed.
class summed_instructions final : public observer {
 public:
  [[nodiscard]] detail request_detail() const override { return detail::none; }
  [[nodiscard]] detail step_detail() const override { return detail::aggregate; }
  void instructions(std::uint64_t of_warps, std::uint64_t of_lanes) override { warps += of_warps, lanes += of_lanes; }
  std::uint64_t warps = 0, lanes = 0;
};

std::vector<float> numbers(std::size_t n, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<float> any(-100, 100);
  std::vector<float> v(n);
  for (float& x : v) x = any(random);
  return v;
}

}  // namespace

TEST_CASE("a sum of vectors: two loads and a store a warp, the last warp in part") {
  own_memory memory;
  const int n = 1000;
  std::vector<float> a = numbers(n, 1), b = numbers(n, 2), c(n);
  all_requests seen;
  observer* const observers[] = {&seen};
  run_kernel(memory, "vector_add", {4}, {256}, 0, observers, memory.give(a), memory.give(b), memory.give(c), n);
  for (int i = 0; i < n; ++i)
    CHECK(c[static_cast<std::size_t>(i)] == a[static_cast<std::size_t>(i)] + b[static_cast<std::size_t>(i)]);
  CHECK(seen.count(memory_space::global, access::read) == 64);
  CHECK(seen.count(memory_space::global, access::write) == 32);
  CHECK(seen.requests.back().request.active == 0xff);
  CHECK(seen.requests.back().request.width == 4);
  CHECK(seen.requests.back().addresses[7] == reinterpret_cast<address>(&c[999]));
}

TEST_CASE("sums of repeated requests are those of all requests") {
  own_memory memory;
  const int n = 1000;
  std::vector<float> a = numbers(n, 1), b = numbers(n, 2), c(n);
  summed_requests seen;
  observer* const observers[] = {&seen};
  run_kernel(memory, "vector_add", {4}, {256}, 0, observers, memory.give(a), memory.give(b), memory.give(c), n);
  CHECK(seen.all == 96);
}

TEST_CASE("instructions are counted once a warp, and once for each lane that is alive, whatever its predicate") {
  own_memory memory;
  std::vector<float> a = numbers(40, 1), b = numbers(40, 2), c(40);
  summed_instructions seen;
  observer* const observers[] = {&seen};
  run_kernel(memory, "vector_add", {1}, {40}, 0, observers, memory.give(a), memory.give(b), memory.give(c), 40);
  std::uint64_t each = 1;  // up to the EXIT that all take; at the guarded one before nobody leaves
  for (std::size_t i = test_kernels()->find("vector_add")->first_place; test_kernels()->texts()[i] != "EXIT"; ++i)
    ++each;
  CHECK(seen.warps == 2 * each);
  CHECK(seen.lanes == 40 * each);
}

TEST_CASE("a product in tiles: barriers, shared memory, bit for bit") {
  own_memory memory;
  const unsigned n = 48;
  std::vector<float> a = numbers(n * n, 3), b = numbers(n * n, 4), c(n * n);
  all_requests seen;
  observer* const observers[] = {&seen};
  run_kernel(memory, "tiled_product", {3, 3}, {16, 16}, 0, observers, memory.give(a), memory.give(b), memory.give(c),
             static_cast<int>(n));
  for (unsigned row = 0; row < n; ++row)
    for (unsigned column = 0; column < n; ++column) {
      float sum = 0;
      for (unsigned k = 0; k < n; ++k) sum = std::fma(a[row * n + k], b[k * n + column], sum);
      CHECK(c[row * n + column] == sum);
    }
  CHECK(seen.barriers.size() == 9 * 6);
  CHECK(seen.barriers[0].threads == 256);
  CHECK(seen.barriers[0].arrivals.size() == 1);
  CHECK(seen.count(memory_space::shared, access::write) == 9 * 3 * 8 * 2);
}

TEST_CASE("a reduction: shuffles, dynamic shared memory, atomics, a variable of the code's own") {
  own_memory memory;
  std::vector<int> a(10000), sum(1);
  std::iota(a.begin(), a.end(), -77);
  all_requests seen;
  observer* const observers[] = {&seen};
  run_kernel(memory, "sum_of_all", {7}, {128}, 4 * sizeof(int), observers, memory.give(a), 10000, memory.give(sum));
  CHECK(sum[0] == std::accumulate(a.begin(), a.end(), 0));
  CHECK(std::ranges::count_if(seen.primitives, [](const auto& p) { return p.operation == warp_operation::shuffle; }) ==
        7 * 4 * 5);
  const auto shared =
      std::ranges::find_if(seen.requests, [](const auto& t) { return t.request.space == memory_space::shared; });
  REQUIRE(shared != seen.requests.end());
  CHECK(shared->addresses[0] == dynamic_shared_window);
}

TEST_CASE("lanes take different ways, loops of different lengths, and leave early") {
  own_memory memory;
  std::vector<int> from(500), steps(500);
  std::iota(from.begin(), from.end(), 1);
  run_kernel(memory, "steps_to_one", {4}, {128}, 0, {}, memory.give(from), memory.give(steps), 500);
  for (std::size_t i = 0; i < from.size(); ++i) {
    int v = from[i], count = 0;
    for (; v != 1; ++count) v = v % 2 == 0 ? v / 2 : 3 * v + 1;
    CHECK(steps[i] == count);
  }
}

TEST_CASE("a function that calls itself: calls, returns, a stack") {
  own_memory memory;
  std::vector<int> out(64);
  run_kernel(memory, "recursion", {1}, {64}, 0, {}, memory.give(out));
  constexpr std::array fibonacci = {0, 1, 1, 2, 3, 5, 8, 13, 21, 34, 55, 89};
  for (std::size_t i = 0; i < out.size(); ++i) CHECK(out[i] == fibonacci[i % 12]);
}

TEST_CASE("arithmetic as IEEE 754 has it: divisions, roots, integers of 64 bits") {
  own_memory memory;
  const std::size_t n = 320;
  std::vector<double> x(n), d(3 * n);
  std::vector<float> y = numbers(n, 9), f(4 * n);
  std::vector<long long> k(n), l(4 * n);
  std::mt19937_64 random(5);
  for (std::size_t i = 0; i < n; ++i) {
    x[i] = std::ldexp(static_cast<double>(random() % 1000003) - 500000, static_cast<int>(random() % 20) - 10);
    k[i] = static_cast<long long>(random());
    if (i % 10 == 0) y[i] = std::ldexp(y[i], static_cast<int>(random() % 200) - 100);
  }
  y[3] = 0, y[17] = HUGE_VALF, y[18] = 1e-42F, k[5] = 0, k[6] = 1;
  run_kernel(memory, "arithmetic", {3}, {128}, 0, {}, memory.give(x), memory.give(y), memory.give(k), memory.give(d),
             memory.give(f), memory.give(l), static_cast<int>(n));
  const float table[] = {0.5F, 1.5F, 2.5F, 3.5F};
  const auto same = [](float a, float b) {
    return std::bit_cast<std::uint32_t>(a) == std::bit_cast<std::uint32_t>(b) || (a != a && b != b);
  };
  for (std::size_t i = 0; i < n; ++i) {
    CAPTURE(i);
    const std::size_t next = (i + 1) % n;
    CHECK(d[3 * i] == x[i] / std::fma(x[i], x[i], 1.0));
    CHECK(d[3 * i + 1] == std::sqrt(std::fabs(x[i])));
    CHECK(d[3 * i + 2] == std::fma(x[i], 3.0, -0.125));
    CHECK(same(f[4 * i], y[i] / 3.0F));
    CHECK(same(f[4 * i + 1], std::sqrt(std::fabs(y[i]))));
    CAPTURE(f[4 * i + 2]);
    CAPTURE(y[i]);
    CHECK(same(f[4 * i + 2], y[i] / (y[next] + 1e-30F)));
    CHECK(f[4 * i + 3] == static_cast<float>(i % 8 + 1) * table[i % 4]);
    const auto u = static_cast<unsigned long long>(k[i]);
    CHECK(l[4 * i] == k[i] / 7);
    CHECK(l[4 * i + 1] == static_cast<long long>(u % 1000003ULL));
    CHECK(l[4 * i + 2] == static_cast<long long>(u * static_cast<unsigned long long>(k[next])) + std::popcount(u) -
                              std::countl_zero(u));
    std::uint32_t reversed = 0;
    for (unsigned bit = 0; bit < 32; ++bit) reversed |= static_cast<std::uint32_t>(u >> bit & 1) << (31 - bit);
    CHECK(l[4 * i + 3] ==
          static_cast<long long>(static_cast<unsigned long long>(static_cast<long long>(x[i])) +
                                 static_cast<unsigned long long>(k[i] >> (i % 64)) + (u << (i % 64)) + reversed % 17));
  }
}

TEST_CASE("an array whose place the program chooses is local memory of each thread") {
  own_memory memory;
  std::vector<int> order = {3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8, 9, 7, 9, 3}, out(96);
  all_requests seen;
  observer* const observers[] = {&seen};
  run_kernel(memory, "local_array", {1}, {96}, 0, observers, memory.give(order), memory.give(out));
  for (int t = 0; t < 96; ++t) {
    int a[16], sum = 0;
    for (int i = 0; i < 16; ++i) a[i] = i * t;
    for (int i = 0; i < 16; ++i) {
      a[order[static_cast<std::size_t>(i)] & 15] += sum;
      sum += a[order[static_cast<std::size_t>((i + t) & 15)] & 15];
    }
    CHECK(out[static_cast<std::size_t>(t)] == sum);
  }
  CHECK(seen.count(memory_space::local, access::write) > 0);
}

TEST_CASE("a histogram in shared memory") {
  own_memory memory;
  std::vector<unsigned> values(5000), bins(64), expected(64);
  std::mt19937 random(3);
  for (unsigned& v : values) ++expected[(v = static_cast<unsigned>(random())) % 64];
  all_requests seen;
  observer* const observers[] = {&seen};
  run_kernel(memory, "histogram", {3}, {128}, 0, observers, memory.give(values), memory.give(bins), 5000);
  CHECK(bins == expected);
  const auto counting =
      std::ranges::find_if(seen.requests, [](const auto& t) { return t.request.atomic == atomic_kind::count; });
  CHECK(counting != seen.requests.end());
}

TEST_CASE("an atomic operation of 64 bits on global or shared memory, as the address says") {
  own_memory memory;
  std::vector<std::uint64_t> sums(4);
  all_requests seen;
  observer* const observers[] = {&seen};
  run_kernel(memory, "generic_atomics", {1}, {96}, 0, observers, memory.give(sums));
  for (const auto& t : seen.requests)  // but the last read of all, each is part of a loop with a CAST.SPIN
    if (t.request.space == memory_space::shared && t.request.kind == access::read)
      CHECK(t.request.of_atomic == (&t != &seen.requests[seen.requests.size() - 2]));
  constexpr std::uint64_t one = 0x100000001ULL;
  CHECK(sums[0] == (95 * 96 / 2 - 3 * (31 * 32 / 2)) * one);
  CHECK(sums[1] == 95 * one);
  CHECK(sums[2] == 3 * (31 * 32 / 2) * one);
  CHECK(sums[3] == 93 * one);
}

TEST_CASE("functions by a table: the code's own, and a program's whose pointers are other numbers") {
  own_memory memory;
  std::vector<int> a(64, 100), expected(64);
  for (int i = 0; i < 64; ++i) expected[static_cast<std::size_t>(i)] = i % 2 == 0 ? 100 + i : 100 - i;
  run_kernel(memory, "by_table", {1}, {64}, 0, {}, memory.give(a));
  CHECK(a == expected);

  const auto& code = test_kernels();
  const sass::function& f = *code->find("by_table");
  REQUIRE(f.called.contains("_Z10differenceii"));
  memory.function_place = f.called.at("_Z10differenceii");
  for (const sass::global_symbol& s : code->symbols())
    if (s.name == "operations") std::memset(s.own_storage, 0x77, s.bytes);
  a.assign(64, 100);
  run_kernel(memory, "by_table", {1}, {64}, 0, {}, memory.give(a));
  for (const sass::global_symbol& s : code->symbols())
    if (s.name == "operations") std::ranges::copy(s.initial_value, s.own_storage);
  CHECK(a[10] == 90);
  CHECK(a[11] == 89);
}

TEST_CASE("what is left of __syncwarp() orders the lanes that are together") {
  own_memory memory;
  std::vector<int> a(64);
  std::iota(a.begin(), a.end(), 0);
  all_requests seen;
  observer* const observers[] = {&seen};
  run_kernel(memory, "neighbours", {1}, {64}, 0, observers, memory.give(a));
  CHECK(a[6] == 7);
  REQUIRE(seen.primitives.size() == 2);
  CHECK(seen.primitives[0].operation == warp_operation::syncwarp);
  CHECK(seen.primitives[0].arrived == full_warp);
}

TEST_CASE("threads of one warp take a lock in turn") {
  own_memory memory;
  std::vector<int> taken(1), total(1);
  run_kernel(memory, "lock", {2}, {64}, 0, {}, memory.give(taken), memory.give(total));
  CHECK(total[0] == 128);
}

TEST_CASE("lanes that yield hold nobody up, and come along later") {
  own_memory memory;
  std::vector<int> most(1);
  std::vector<float> a = numbers(64, 8);
  std::vector<unsigned> ballots(64);
  run_kernel(memory, "greatest", {1}, {64}, 0, {}, memory.give(most), memory.give(a), memory.give(ballots));
  CHECK(std::bit_cast<float>(most[0]) == *std::ranges::max_element(a));
  unsigned expected = 0;
  for (unsigned l = 0; l < 32; ++l) expected |= static_cast<unsigned>(a[l] > 0) << l;
  CHECK(ballots[31] == expected);
}

TEST_CASE("votes, matches and reductions of a kernel") {
  own_memory memory;
  std::vector<int> a = {1, 2, 3, 4, 5, 6, 7, 8, 1, 2, 3, 4, 1, 2, 3, 1, 2, 1, 0, 0, 0, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0, 5};
  std::vector<unsigned> out(32);
  run_kernel(memory, "votes", {1}, {32}, 0, {}, memory.give(a), memory.give(out));
  unsigned ballot = 0, sum = 0, count = 0;
  for (unsigned i = 0; i < 32; ++i)
    ballot |= static_cast<unsigned>(a[i] > 3) << i, sum += static_cast<unsigned>(a[i]), count += a[i] > 1;
  for (unsigned i = 0; i < 32; ++i) {
    const auto same = static_cast<unsigned>(std::ranges::count(a, a[i]));
    CHECK(out[i] == ballot + same + 1000 + sum + static_cast<unsigned>(a[i ^ 5]) + count);
  }
}

TEST_CASE("an address that is nobody's ends the launch, and names instruction, line and address") {
  own_memory memory;
  std::vector<int> a(32);
  const address begin = memory.give(a);
  try {
    run_kernel(memory, "out_of_bounds", {1}, {32}, 0, {}, begin, 1 << 28);
    FAIL("no fault");
  } catch (const sass::machine_fault& e) {
    CHECK(e.why == sass::machine_fault::reason::address);
    CHECK(e.at == begin + (std::uint64_t{1} << 30));
    CHECK(std::string(e.what()).find("kernels.cu:") != std::string::npos);
    CHECK(std::string(e.what()).find("STG") != std::string::npos);
  }
}

}  // namespace simtlab::emulator::testing
