// The arithmetic of tiling: how often each element is fetched, and what the tiles cost.
#include <doctest/doctest.h>

#include "claims/device_array.h"
#include "claims/lecture.h"
#include "claims/measurement.h"

using namespace simtlab::emulator;
using namespace simtlab::emulator::claims;

namespace {

__global__ void multiply_naive(const float* m, const float* n, float* p, int width) {
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < width && col < width) {
    float sum = 0;
    for (int i = 0; i < width; ++i) sum += m[row * width + i] * n[i * width + col];
    p[row * width + col] = sum;
  }
}

// A block computes `Columns` tiles of P side by side from one tile of M. `first_phase` and `first_block_row` let a
// launch do a part of the work, so that the part can be counted.
template <int Tile, int Columns>
__global__ void multiply_tiled(const float* m, const float* n, float* p, int width, int first_phase,
                               int first_block_row) {
  __shared__ float tile_m[Tile][Tile];
  __shared__ float tile_n[Tile][Tile];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int row = (first_block_row + blockIdx.y) * Tile + ty;
  const int first_col = blockIdx.x * Tile * Columns + tx;
  float sums[Columns] = {};
  for (int phase = first_phase; phase * Tile < width; ++phase) {
    const int m_col = phase * Tile + tx, n_row = phase * Tile + ty;
    float from_m = 0;
    if (row < width && m_col < width) from_m = m[row * width + m_col];
    tile_m[ty][tx] = from_m;
    for (int c = 0; c < Columns; ++c) {
      const int col = first_col + c * Tile;
      float from_n = 0;
      if (n_row < width && col < width) from_n = n[n_row * width + col];
      tile_n[ty][tx] = from_n;
      __syncthreads();
      for (int i = 0; i < Tile; ++i) sums[c] += tile_m[ty][i] * tile_n[i][tx];
      __syncthreads();
    }
  }
  for (int c = 0; c < Columns; ++c) {
    const int col = first_col + c * Tile;
    if (row < width && col < width) p[row * width + col] = sums[c];
  }
}

class square_product {
 public:
  explicit square_product(int width)
      : width_(width), m_("m", elements(), 1.0f), n_("n", elements(), 2.0f), p_("p", elements()) {}

  measurement naive() {
    return checked([&] {
      multiply_naive<<<dim3(width_ / 16, width_ / 16), dim3(16, 16)>>>(m_.data(), n_.data(), p_.data(), width_);
    });
  }
  template <int Tile, int Columns = 1>
  measurement tiled() {
    return checked([&] {
      multiply_tiled<Tile, Columns><<<dim3(width_ / Tile / Columns, width_ / Tile), dim3(Tile, Tile)>>>(
          m_.data(), n_.data(), p_.data(), width_, 0, 0);
    });
  }
  /// One block, one phase; the result is partial.
  template <int Tile>
  measurement part(int phase, int block_row) {
    return measurement([&] {
      multiply_tiled<Tile, 1><<<1, dim3(Tile, Tile)>>>(m_.data(), n_.data(), p_.data(), width_, phase, block_row);
    });
  }

 private:
  [[nodiscard]] std::size_t elements() const { return static_cast<std::size_t>(width_) * width_; }
  template <class Work>
  measurement checked(Work work) {
    measurement measured(work);
    for (const float element : p_.contents()) REQUIRE(element == 2.0f * static_cast<float>(width_));
    return measured;
  }

  int width_;
  device_array<float> m_, n_, p_;
};

std::uint64_t lane_loads(const measurement& measured) {
  return measured.reads_of("m").lanes + measured.reads_of("n").lanes;
}

constexpr std::uint64_t width = 64;
constexpr std::uint64_t multiply_adds = width * width * width;

double ratio(std::uint64_t above, std::uint64_t below) {
  return static_cast<double>(above) / static_cast<double>(below);
}
double per_multiply_add(std::uint64_t count) { return ratio(count, multiply_adds); }
const occupancy& occupancy_of(const measurement& measured) { return measured.whole().launches.at(0).fits; }

}  // namespace

TEST_CASE("claim 13: the naive product asks for 2 lane loads, 8 bytes, per multiply-add") {
  const measurement measured = square_product(width).naive();
  LECTURE_SAYS("lane loads per multiply-add", 2, per_multiply_add(lane_loads(measured)));
  const std::uint64_t bytes = measured.reads_of("m").bytes + measured.reads_of("n").bytes;
  LECTURE_SAYS("bytes per multiply-add", 8, per_multiply_add(bytes));
  // Without any cache the memory's bandwidth would cap the arithmetic: 2 operations for 8 bytes.
  const double operations_per_byte = 2.0 * static_cast<double>(multiply_adds) / static_cast<double>(bytes);
  LECTURE_SAYS("GFLOP/s at 86.4 GB/s", 21.6, 86.4 * operations_per_byte);
  LECTURE_SAYS("GFLOP/s at 200 GB/s", 50, 200 * operations_per_byte);
  CHECK(200 * operations_per_byte / 1500 == doctest::Approx(0.033).epsilon(0.02));
}

TEST_CASE("claim 14: tile 16: 512 lane loads for 8,192 operations per phase and block; tile 32: 2,048 for 65,536") {
  LECTURE_SAYS("tile 16, one phase: lane loads", 512, lane_loads(square_product(16).tiled<16>()));
  CHECK(2 * 16 * 16 * 16 == 8192);
  LECTURE_SAYS("tile 32, one phase: lane loads", 2048, lane_loads(square_product(32).tiled<32>()));
  CHECK(2 * 32 * 32 * 32 == 65536);
}

TEST_CASE("claim 14: lane loads fall to 1/TILE_WIDTH of the naive product's") {
  square_product product(width);
  const std::uint64_t naive = lane_loads(product.naive());
  REQUIRE(naive == 2 * multiply_adds);
  LECTURE_SAYS("tile 16: naive loads over tiled", 16, ratio(naive, lane_loads(product.tiled<16>())));
  LECTURE_SAYS("tile 32: lane loads per multiply-add", 2.0 / 32, per_multiply_add(lane_loads(product.tiled<32>())));
  LECTURE_SAYS("tile 32: naive loads over tiled", 32, ratio(naive, lane_loads(product.tiled<32>())));
}

TEST_CASE("claim 15: two 16x16 float tiles take 2 KB a block, two 32x32 take 8 KB") {
  options lectures;
  lectures.gpu = find_gpu("lecture");
  configure(lectures);
  square_product product(width);
  const measurement narrow = product.tiled<16>(), wide = product.tiled<32>();
  configure({});
  LECTURE_SAYS("tile 16: shared bytes per block", 2 * 1024, narrow.shared_bytes_per_block());
  LECTURE_SAYS("tile 16: blocks by shared memory", 8, occupancy_of(narrow).by_shared_memory);
  LECTURE_SAYS("tile 16: blocks by threads", 6, occupancy_of(narrow).by_warps);
  LECTURE_SAYS("tile 32: shared bytes per block", 8 * 1024, wide.shared_bytes_per_block());
  LECTURE_SAYS("tile 32: blocks by shared memory", 2, occupancy_of(wide).by_shared_memory);
  LECTURE_SAYS("tile 32: blocks by threads", 1, occupancy_of(wide).by_warps);
  LECTURE_SAYS("tile 32: warps of 48 at a time", 32, occupancy_of(wide).warps);
  LECTURE_SAYS("tile 16: warps of 48 at a time", 48, occupancy_of(narrow).warps);
}

TEST_CASE("claim 16: 1,000x1,000 in 32x32 tiles: 32 warps load M partially in the last phase, 8 in the bottom blocks") {
  square_product product(1000);
  constexpr int last_phase = 31, bottom = 31;
  const request_counters inside = product.part<32>(last_phase, 0).reads_of("m");
  LECTURE_SAYS("last phase, inside: warps that load M partially", 32, inside.requests);
  CHECK(inside.lanes == 32 * 8);  // columns 992 to 999
  const request_counters below = product.part<32>(last_phase, bottom).reads_of("m");
  LECTURE_SAYS("last phase, bottom: warps that load M partially", 8, below.requests);  // rows 992 to 999
  CHECK(below.lanes == 8 * 8);
}

TEST_CASE("claim 17: with a coarsening factor of 4 the lane loads of M are a quarter of the tiled product's") {
  square_product product(128);
  const measurement tiled = product.tiled<16>();
  const measurement coarsened = product.tiled<16, 4>();
  REQUIRE(tiled.reads_of("m").lanes == 128 * 128 * 128 / 16);
  LECTURE_SAYS("tiled: lane loads of M", 128 * 128 * 128 / 16, tiled.reads_of("m").lanes);
  LECTURE_SAYS("coarsened: lane loads of M", 128 * 128 * 128 / 64, coarsened.reads_of("m").lanes);
  LECTURE_SAYS("lane loads of M, tiled over coarsened", 4,
               ratio(tiled.reads_of("m").lanes, coarsened.reads_of("m").lanes));
  CHECK(coarsened.reads_of("n").lanes == tiled.reads_of("n").lanes);
}
