// The same program gives the same counters, bit for bit, and the same set of findings with any number of workers.
#include <doctest/doctest.h>

#include <set>
#include <sstream>
#include <string>
#include <tuple>

#include "emulator.h"
#include "runtime/device_memory.h"

using namespace simtlab::emulator;

__global__ void tiled(const float* a, const float* b, float* c, int n) {
  __shared__ float as[16][16], bs[16][16];
  const int x = threadIdx.x, y = threadIdx.y, row = blockIdx.y * 16 + y, col = blockIdx.x * 16 + x;
  float sum = 0;
  for (int p = 0; p < (n + 15) / 16; ++p) {
    as[y][x] = row < n && p * 16 + x < n ? a[row * n + p * 16 + x] : 0.0f;
    bs[y][x] = col < n && p * 16 + y < n ? b[(p * 16 + y) * n + col] : 0.0f;
    __syncthreads();
    for (int k = 0; k < 16; ++k) sum += as[y][k] * bs[k][x];
    __syncthreads();
  }
  if (row < n && col < n) c[row * n + col] = sum;
}

__global__ void irregular(const int* lengths, const float* a, float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  for (int k = 0; k < lengths[i]; ++k) sum += a[(i * 7 + k * 13) % 4096];
  out[i] = sum;
}

__global__ void racy(int* counts, int* flags, int n) {
  __shared__ int last;
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  counts[i % 8] = counts[i % 8] + 1;
  last = threadIdx.x;
  flags[0] = 1;
  counts[i + n] = last;
}

namespace {

std::string counters_of(const report& r) {
  std::ostringstream text;
  for (const launch_report& l : r.launches) {
    text << l.kernel << ' ' << l.steps << ' ' << l.divergent_steps << ' ' << l.barriers << ' '
         << l.busiest_warp_requests << ' ' << l.working_warps << '\n';
    for (const access_counters& a : l.accesses) {
      const request_counters& c = a.counters;
      text << a.where.line << ' ' << static_cast<int>(a.space) << ' ' << static_cast<int>(a.kind) << ' ' << a.variable
           << ' ' << c.requests << ' ' << c.lanes << ' ' << c.bytes << ' ' << c.sectors << ' ' << c.ideal_sectors << ' '
           << c.lines << ' ' << c.wavefronts << ' ' << c.ideal_wavefronts << '\n';
    }
  }
  return text.str();
}

using identity = std::tuple<rule, source_line, source_line, std::string>;

std::set<identity> findings_of(const report& r) {
  std::set<identity> result;
  for (const finding& f : r.findings)
    result.insert(
        {f.what, std::min(f.first.where, f.second.where), std::max(f.first.where, f.second.where), f.variable});
  return result;
}

report run_all(unsigned workers, const char* turns = "in-order", bool checks = true) {
  options wanted;
  wanted.workers = workers;
  wanted.checks = checks;
  wanted.turns = *schedule_from(turns);
  configure(wanted);
  static_cast<void>(take_report());
  std::vector<int> lengths(2048);
  for (int i = 0; i < 2048; ++i) lengths[i] = (i * 37) % 29;
  {
    device_memory<float> a(100 * 100, 1.0f), b(100 * 100, 2.0f), c(100 * 100, 0.0f), long_a(4096, 1.0f),
        out(2048, 0.0f);
    device_memory<int> device_lengths(lengths), counts(64 * 64, 0), flags(1, 0);
    tiled<<<dim3(7, 7), dim3(16, 16)>>>(a.get(), b.get(), c.get(), 100);
    irregular<<<8, 256>>>(device_lengths.get(), long_a.get(), out.get());
    racy<<<32, 64>>>(counts.get(), flags.get(), 64 * 30);
  }
  configure({});
  return take_report();
}

}  // namespace

TEST_CASE("counters and findings depend neither on the number of workers nor on whose turn it is") {
  const report one = run_all(1);
  CHECK(!findings_of(one).empty());
  for (const char* turns : {"in-order", "reverse", "random:3"}) {
    for (unsigned workers : {1u, 2u, 3u, 4u}) {
      CAPTURE(turns);
      CAPTURE(workers);
      const report other = run_all(workers, turns);
      CHECK(counters_of(other) == counters_of(one));
      CHECK(findings_of(other) == findings_of(one));
    }
  }
}

TEST_CASE("workers that count together without checks count the same as one") {
  const std::string one = counters_of(run_all(1, "in-order", false));
  for (int round = 0; round < 5; ++round) {
    for (unsigned workers : {2u, 4u}) {
      CAPTURE(workers);
      CHECK(counters_of(run_all(workers, "in-order", false)) == one);
    }
  }
}

TEST_CASE("a schedule is named in-order, reverse or random with its seed") {
  CHECK(schedule_from("in-order")->kind == schedule::in_order);
  CHECK(schedule_from("reverse")->kind == schedule::reverse);
  CHECK(schedule_from("random:12")->seed == 12);
  for (const char* wrong : {"", "random:", "random:x", "random:1x", "forwards"}) CHECK(!schedule_from(wrong));
}
