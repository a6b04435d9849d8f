// Textbook kernels without a defect: each gives the right answer and no finding at all.
#include <doctest/doctest.h>

#include <algorithm>
#include <numeric>
#include <utility>

#include "claims/device_array.h"
#include "claims/measurement.h"

using namespace simtlab::emulator;
using namespace simtlab::emulator::claims;

namespace {

/// Runs `work` and reports every finding, whatever its severity.
template <class Work>
void expect_clean(Work work) {
  const measurement measured(work);
  for (const finding& f : measured.whole().findings)
    FAIL_CHECK(rule_name(f.what), " of ", f.variable, " in line ", f.first.where.line, ": ", f.message);
}

std::vector<float> ramp(int n) {
  std::vector<float> values(static_cast<std::size_t>(n));
  std::iota(values.begin(), values.end(), 1.0f);
  return values;
}

__global__ void add(const float* a, const float* b, float* c, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) c[i] = a[i] + b[i];
}

__global__ void saxpy_grid_stride(float factor, const float* x, float* y, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) y[i] += factor * x[i];
}

}  // namespace

TEST_CASE("vector addition") {
  constexpr int n = 1000;
  device_array<float> a("a", ramp(n)), b("b", n, 0.5f), c("c", n);
  expect_clean([&] { add<<<(n + 255) / 256, 256>>>(a.data(), b.data(), c.data(), n); });
  CHECK(c.contents()[n - 1] == n + 0.5f);
}

TEST_CASE("saxpy with a grid-stride loop") {
  constexpr int n = 777;
  device_array<float> x("x", ramp(n)), y("y", n, 1.0f);
  expect_clean([&] { saxpy_grid_stride<<<2, 64>>>(2.0f, x.data(), y.data(), n); });
  CHECK(y.contents()[n - 1] == 2.0f * n + 1);
}

namespace {

template <int Tile>
__global__ void multiply_tiled(const float* a, const float* b, float* c, int j, int k, int l) {
  __shared__ float of_a[Tile][Tile];
  __shared__ float of_b[Tile][Tile];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int row = blockIdx.y * Tile + ty, col = blockIdx.x * Tile + tx;
  float sum = 0;
  for (int first = 0; first < k; first += Tile) {
    of_a[ty][tx] = row < j && first + tx < k ? a[row * k + first + tx] : 0.0f;
    of_b[ty][tx] = first + ty < k && col < l ? b[(first + ty) * l + col] : 0.0f;
    __syncthreads();
    for (int i = 0; i < Tile; ++i) sum += of_a[ty][i] * of_b[i][tx];
    __syncthreads();
  }
  if (row < j && col < l) c[row * l + col] = sum;
}

// The same with dynamic shared memory, and the barrier that closes a phase moved to the beginning of the next.
__global__ void multiply_dynamic(const float* a, const float* b, float* c, int j, int k, int l) {
  extern __shared__ float tiles[];
  const int width = blockDim.x, tx = threadIdx.x, ty = threadIdx.y;
  float* const of_a = tiles;
  float* const of_b = tiles + width * width;
  const int row = blockIdx.y * width + ty, col = blockIdx.x * width + tx;
  float sum = 0;
  for (int first = 0; first < k; first += width) {
    if (first > 0) __syncthreads();
    of_a[ty * width + tx] = row < j && first + tx < k ? a[row * k + first + tx] : 0.0f;
    of_b[ty * width + tx] = first + ty < k && col < l ? b[(first + ty) * l + col] : 0.0f;
    __syncthreads();
    for (int i = 0; i < width; ++i) sum += of_a[ty * width + i] * of_b[i * width + tx];
  }
  if (row < j && col < l) c[row * l + col] = sum;
}

struct product_case {
  int j = 37, k = 41, l = 29;
  device_array<float> a{"a", static_cast<std::size_t>(j*k), 1.0f}, b{"b", static_cast<std::size_t>(k*l), 2.0f};
  device_array<float> c{"c", static_cast<std::size_t>(j* l)};
  void check() const {
    for (const float element : c.contents()) REQUIRE(element == 2.0f * static_cast<float>(k));
  }
};

}  // namespace

TEST_CASE("a tiled product with ragged edges") {
  product_case p;
  expect_clean(
      [&] { multiply_tiled<16><<<dim3(2, 3), dim3(16, 16)>>>(p.a.data(), p.b.data(), p.c.data(), p.j, p.k, p.l); });
  p.check();
}

TEST_CASE("a tiled product in dynamic shared memory") {
  product_case p;
  expect_clean([&] {
    multiply_dynamic<<<dim3(4, 5), dim3(8, 8), 2 * 8 * 8 * sizeof(float)>>>(p.a.data(), p.b.data(), p.c.data(), p.j,
                                                                            p.k, p.l);
  });
  p.check();
}

namespace {

__global__ void transpose_padded(const float* in, float* out, int rows, int cols) {
  __shared__ float tile[32][33];
  int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
  for (int i = 0; i < 32; i += 8)
    if (x < cols && y + i < rows) tile[threadIdx.y + i][threadIdx.x] = in[(y + i) * cols + x];
  __syncthreads();
  x = blockIdx.y * 32 + threadIdx.x, y = blockIdx.x * 32 + threadIdx.y;
  for (int i = 0; i < 32; i += 8)
    if (x < rows && y + i < cols) out[(y + i) * rows + x] = tile[threadIdx.x][threadIdx.y + i];
}

}  // namespace

TEST_CASE("a padded transpose with ragged edges") {
  constexpr int rows = 45, cols = 70;
  device_array<float> in("in", ramp(rows * cols)), out("out", rows * cols);
  expect_clean([&] { transpose_padded<<<dim3(3, 2), dim3(32, 8)>>>(in.data(), out.data(), rows, cols); });
  CHECK(out.contents()[3 * rows + 7] == 7 * cols + 3 + 1);
}

namespace {

__global__ void sum_interleaved(const float* in, float* out, int n) {
  __shared__ float partial[256];
  const int i = blockIdx.x * 256 + threadIdx.x;
  partial[threadIdx.x] = i < n ? in[i] : 0.0f;
  for (unsigned stride = 1; stride < 256; stride *= 2) {
    __syncthreads();
    if (threadIdx.x % (2 * stride) == 0) partial[threadIdx.x] += partial[threadIdx.x + stride];
  }
  if (threadIdx.x == 0) out[blockIdx.x] = partial[0];
}

__global__ void sum_contiguous(const float* in, float* out, int n) {
  __shared__ float partial[256];
  const int i = blockIdx.x * 256 + threadIdx.x;
  partial[threadIdx.x] = i < n ? in[i] : 0.0f;
  for (unsigned stride = 128; stride > 0; stride /= 2) {
    __syncthreads();
    if (threadIdx.x < stride) partial[threadIdx.x] += partial[threadIdx.x + stride];
  }
  if (threadIdx.x == 0) atomicAdd(out, partial[0]);
}

__global__ void sum_by_shuffles(const float* in, float* out, int n) {
  __shared__ float of_warp[32];
  float sum = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) sum += in[i];
  for (int offset = 16; offset > 0; offset /= 2) sum += __shfl_down_sync(0xffffffffu, sum, offset);
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  if (lane == 0) of_warp[warp] = sum;
  __syncthreads();
  if (warp == 0) {
    const int warps = blockDim.x / 32;
    sum = lane < warps ? of_warp[lane] : 0.0f;
    for (int offset = 16; offset > 0; offset /= 2) sum += __shfl_down_sync(0xffffffffu, sum, offset);
    if (lane == 0) atomicAdd(out, sum);
  }
}

// The last steps inside one warp, with a warp barrier where the lectures' older text relies on lockstep.
__global__ void sum_with_warp_tail(const float* in, float* out) {
  __shared__ float partial[64];
  const int t = threadIdx.x;
  partial[t] = in[t];
  __syncthreads();
  if (t < 32) {
    for (int stride = 32; stride > 0; stride /= 2) {
      if (t < stride) partial[t] += partial[t + stride];
      __syncwarp();
    }
    if (t == 0) out[0] = partial[0];
  }
}

}  // namespace

TEST_CASE("four reductions") {
  constexpr int n = 1000;
  device_array<float> in("in", n, 1.0f), out("out", 4);
  SUBCASE("interleaved, partial sums out") {
    expect_clean([&] { sum_interleaved<<<4, 256>>>(in.data(), out.data(), n); });
    const std::vector<float> sums = out.contents();
    CHECK(std::accumulate(sums.begin(), sums.end(), 0.0f) == n);
  }
  SUBCASE("contiguous, one atomic a block") {
    expect_clean([&] { sum_contiguous<<<4, 256>>>(in.data(), out.data(), n); });
    CHECK(out.contents()[0] == n);
  }
  SUBCASE("by shuffles") {
    expect_clean([&] { sum_by_shuffles<<<2, 128>>>(in.data(), out.data(), n); });
    CHECK(out.contents()[0] == n);
  }
  SUBCASE("with a warp's tail") {
    expect_clean([&] { sum_with_warp_tail<<<1, 64>>>(in.data(), out.data()); });
    CHECK(out.contents()[0] == 64);
  }
}

namespace {

__global__ void histogram_privatised(const unsigned char* bytes, int n, unsigned* bins) {
  __shared__ unsigned own[256];
  own[threadIdx.x] = 0;
  __syncthreads();
  for (int i = blockIdx.x * 256 + threadIdx.x; i < n; i += gridDim.x * 256) atomicAdd(&own[bytes[i]], 1u);
  __syncthreads();
  if (own[threadIdx.x] > 0) atomicAdd(&bins[threadIdx.x], own[threadIdx.x]);
}

__global__ void brighten(unsigned char* pixels, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) pixels[i] = static_cast<unsigned char>(pixels[i] < 200 ? pixels[i] + 50 : 250);
}

}  // namespace

TEST_CASE("a histogram of bytes") {
  constexpr int n = 3000;
  std::vector<unsigned char> contents(n);
  for (int i = 0; i < n; ++i) contents[static_cast<std::size_t>(i)] = static_cast<unsigned char>(i % 100);
  device_array<unsigned char> bytes("bytes", contents);
  device_array<unsigned> bins("bins", 256);
  expect_clean([&] { histogram_privatised<<<3, 256>>>(bytes.data(), n, bins.data()); });
  CHECK(bins.contents()[99] == 30);
  CHECK(bins.contents()[100] == 0);
}

TEST_CASE("neighbouring threads write neighbouring bytes") {
  device_array<unsigned char> pixels("pixels", 333, static_cast<unsigned char>(180));
  expect_clean([&] { brighten<<<3, 128>>>(pixels.data(), 333); });
  CHECK(pixels.contents()[332] == 230);
}

namespace {

// Kogge and Stone: two barriers a step.
__global__ void scan_kogge_stone(const float* in, float* out, int n) {
  __shared__ float sums[256];
  const int t = threadIdx.x;
  sums[t] = t < n ? in[t] : 0.0f;
  for (int stride = 1; stride < 256; stride *= 2) {
    __syncthreads();
    float previous = 0;
    if (t >= stride) previous = sums[t - stride];
    __syncthreads();
    sums[t] += previous;
  }
  if (t < n) out[t] = sums[t];
}

// The same with two buffers and one barrier a step.
__global__ void scan_double_buffered(const float* in, float* out, int n) {
  __shared__ float buffers[2][256];
  const int t = threadIdx.x;
  int from = 0;
  buffers[from][t] = t < n ? in[t] : 0.0f;
  for (int stride = 1; stride < 256; stride *= 2) {
    __syncthreads();
    buffers[1 - from][t] = buffers[from][t] + (t >= stride ? buffers[from][t - stride] : 0.0f);
    from = 1 - from;
  }
  if (t < n) out[t] = buffers[from][t];
}

__global__ void scan_of_a_warp(const int* in, int* out) {
  int sum = in[threadIdx.x];
  for (int offset = 1; offset < 32; offset *= 2) {
    const int left = __shfl_up_sync(0xffffffffu, sum, offset);
    if (threadIdx.x >= static_cast<unsigned>(offset)) sum += left;
  }
  out[threadIdx.x] = sum;
}

}  // namespace

TEST_CASE("three scans") {
  constexpr int n = 200;
  SUBCASE("Kogge-Stone") {
    device_array<float> in("in", n, 1.0f), out("out", n);
    expect_clean([&] { scan_kogge_stone<<<1, 256>>>(in.data(), out.data(), n); });
    CHECK(out.contents() == ramp(n));
  }
  SUBCASE("double-buffered") {
    device_array<float> in("in", n, 1.0f), out("out", n);
    expect_clean([&] { scan_double_buffered<<<1, 256>>>(in.data(), out.data(), n); });
    CHECK(out.contents() == ramp(n));
  }
  SUBCASE("of a warp") {
    device_array<int> in("in", 32, 1), out("out", 32);
    expect_clean([&] { scan_of_a_warp<<<1, 32>>>(in.data(), out.data()); });
    CHECK(out.contents()[31] == 32);
  }
}

namespace {

constexpr int radius = 2;
__constant__ float taps[2 * radius + 1];

__global__ void convolve_with_halo(const float* in, float* out, int n) {
  __shared__ float line[64 + 2 * radius];
  const int first = static_cast<int>(blockIdx.x) * 64;
  for (int s = threadIdx.x; s < 64 + 2 * radius; s += 64) {
    const int i = first + s - radius;
    line[s] = i >= 0 && i < n ? in[i] : 0.0f;
  }
  __syncthreads();
  const int i = first + threadIdx.x;
  if (i >= n) return;
  float sum = 0;
  for (int d = 0; d <= 2 * radius; ++d) sum += taps[d] * line[threadIdx.x + d];
  out[i] = sum;
}

__global__ void heat_step(const float* now, float* next, int rows, int cols) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= cols || y >= rows) return;
  const bool inside = x > 0 && y > 0 && x < cols - 1 && y < rows - 1;
  const int here = y * cols + x;
  next[here] = inside ? 0.25f * (now[here - 1] + now[here + 1] + now[here - cols] + now[here + cols]) : now[here];
}

__global__ void box_blur(const unsigned char* in, unsigned char* out, int width, int height) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  int sum = 0, pixels = 0;
  for (int dy = -1; dy <= 1; ++dy)
    for (int dx = -1; dx <= 1; ++dx)
      if (x + dx >= 0 && x + dx < width && y + dy >= 0 && y + dy < height) {
        sum += in[(y + dy) * width + x + dx];
        ++pixels;
      }
  out[y * width + x] = static_cast<unsigned char>(sum / pixels);
}

}  // namespace

TEST_CASE("a convolution with a halo in shared memory and its taps in constant memory") {
  constexpr int n = 150;
  const std::vector<float> ones(2 * radius + 1, 1.0f);
  expect_success(cudaMemcpyToSymbol(taps, ones.data(), sizeof taps));
  device_array<float> in("in", n, 1.0f), out("out", n);
  expect_clean([&] { convolve_with_halo<<<3, 64>>>(in.data(), out.data(), n); });
  CHECK(out.contents()[75] == 5);
  CHECK(out.contents()[0] == 3);
}

TEST_CASE("a heat stencil that exchanges its arrays between launches") {
  constexpr int rows = 20, cols = 33;
  device_array<float> a("a", rows * cols, 2.0f), b("b", rows * cols);
  expect_clean([&] {
    float *now = a.data(), *next = b.data();
    for (int step = 0; step < 4; ++step) {
      heat_step<<<dim3(3, 3), dim3(16, 8)>>>(now, next, rows, cols);
      std::swap(now, next);
    }
  });
  CHECK(a.contents()[10 * cols + 10] == 2);
}

TEST_CASE("a box blur of bytes") {
  constexpr int width = 37, height = 11;
  device_array<unsigned char> in("in", width * height, static_cast<unsigned char>(90)), out("out", width * height);
  expect_clean([&] { box_blur<<<dim3(3, 2), dim3(16, 8)>>>(in.data(), out.data(), width, height); });
  CHECK(out.contents()[width * height - 1] == 90);
}

namespace {

__global__ void maximum_by_cas(const float* in, float* largest, int n) {
  __shared__ float own;
  if (threadIdx.x == 0) own = in[0];
  __syncthreads();
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  int* const bits = reinterpret_cast<int*>(&own);
  if (i < n) {
    int seen = atomicAdd(bits, 0);
    while (__int_as_float(seen) < in[i]) {
      const int before = atomicCAS(bits, seen, __float_as_int(in[i]));
      if (before == seen) break;
      seen = before;
    }
  }
  __syncthreads();
  if (threadIdx.x == 0) largest[blockIdx.x] = own;
}

__global__ void compact_with_ballot(const int* in, int* out, int* count) {
  const bool keep = in[threadIdx.x] % 3 == 0;
  const unsigned voters = __ballot_sync(0xffffffffu, keep);
  const unsigned before = voters & ((1u << (threadIdx.x % 32)) - 1);
  int base = 0;
  if (threadIdx.x % 32 == 0) base = atomicAdd(count, __popc(voters));
  base = __shfl_sync(0xffffffffu, base, 0);
  if (keep) out[base + __popc(before)] = in[threadIdx.x];
}

__global__ void reverse_in_place(int* values, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n / 2) {
    const int last = values[n - 1 - i];
    values[n - 1 - i] = values[i];
    values[i] = last;
  }
}

__global__ void add_pairs(const float2* in, float4* out) {
  const float2 one = in[2 * threadIdx.x], two = in[2 * threadIdx.x + 1];
  out[threadIdx.x] = make_float4(one.x, one.y, two.x, two.y);
}

}  // namespace

TEST_CASE("a maximum by compare-and-swap") {
  constexpr int n = 200;
  device_array<float> in("in", ramp(n)), largest("largest", 2);
  expect_clean([&] { maximum_by_cas<<<2, 128>>>(in.data(), largest.data(), n); });
  CHECK(largest.contents()[0] == 128);
  CHECK(largest.contents()[1] == n);
}

TEST_CASE("compaction with a ballot") {
  std::vector<int> contents(64);
  std::iota(contents.begin(), contents.end(), 0);
  device_array<int> in("in", contents), out("out", 64, -1), count("count", 1);
  expect_clean([&] { compact_with_ballot<<<1, 64>>>(in.data(), out.data(), count.data()); });
  CHECK(count.contents()[0] == 22);
  std::vector<int> kept = out.contents();
  std::sort(kept.begin(), kept.end());
  CHECK(kept[63] == 63);
  CHECK(kept[42] == 0);
}

TEST_CASE("reversal in place") {
  std::vector<int> contents(101);
  std::iota(contents.begin(), contents.end(), 0);
  device_array<int> values("values", contents);
  expect_clean([&] { reverse_in_place<<<2, 32>>>(values.data(), 101); });
  std::reverse(contents.begin(), contents.end());
  CHECK(values.contents() == contents);
}

namespace {

// The loop of the programming guide, where nobody else is at the element: not even a note.
__global__ void count_by_swaps(int* counts, int rounds) {
  for (int round = 0; round < rounds; ++round) {
    int* const mine = &counts[(threadIdx.x + round) % 64];
    int old = *mine, assumed;
    do {
      assumed = old;
      old = atomicCAS(mine, assumed, assumed + 1);
    } while (assumed != old);
    __syncthreads();
  }
}

}  // namespace

TEST_CASE("compare-and-swap from a plain read, with a barrier before the next thread comes") {
  device_array<int> counts("counts", 64);
  expect_clean([&] { count_by_swaps<<<1, 64>>>(counts.data(), 3); });
  CHECK(counts.contents() == std::vector(64, 3));
}

TEST_CASE("vector types") {
  device_array<float2> in("in", 64, make_float2(1, 2));
  device_array<float4> out("out", 32);
  expect_clean([&] { add_pairs<<<1, 32>>>(in.data(), out.data()); });
  CHECK(out.contents()[31].w == 2);
}

namespace {

// Trailing barriers, a barrier first in the loop, a barrier in a branch that the whole block takes.
__global__ void barriers_everywhere(float* out, int rounds, bool twice) {
  __shared__ float cells[64];
  cells[threadIdx.x] = static_cast<float>(threadIdx.x);
  for (int round = 0; round < rounds; ++round) {
    __syncthreads();
    const float mine = cells[(threadIdx.x + 1) % 64];
    if (twice) {
      __syncthreads();
    } else {
      __syncthreads();
    }
    cells[threadIdx.x] = mine;
  }
  out[threadIdx.x] = cells[threadIdx.x];
  __syncthreads();
}

__global__ void unused_cells_stay_unset(const float* in, float* out) {
  __shared__ float cells[64];
  if (threadIdx.x < 50) cells[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  if (threadIdx.x < 50) out[threadIdx.x] = cells[49 - threadIdx.x];
}

}  // namespace

TEST_CASE("barriers where they look suspicious and are right") {
  device_array<float> out("out", 64);
  for (const bool twice : {false, true}) {
    expect_clean([&] { barriers_everywhere<<<2 - 1, 64>>>(out.data(), 3, twice); });
    CHECK(out.contents()[0] == 3);
  }
}

TEST_CASE("shared words that are never set and never read") {
  device_array<float> in("in", ramp(64)), out("out", 64);
  expect_clean([&] { unused_cells_stay_unset<<<1, 64>>>(in.data(), out.data()); });
  CHECK(out.contents()[0] == 50);
}
