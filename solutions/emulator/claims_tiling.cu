// The arithmetic of tiling: how often each element is fetched, and what the tiles cost.
#include <doctest/doctest.h>

#include "claims/device_array.h"
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

}  // namespace

TEST_CASE("claim 13: the naive product asks for 2 lane loads, 8 bytes, per multiply-add") {
  const measurement measured = square_product(width).naive();
  CHECK(lane_loads(measured) == 2 * multiply_adds);
  const std::uint64_t bytes = measured.reads_of("m").bytes + measured.reads_of("n").bytes;
  CHECK(bytes == 8 * multiply_adds);
  // Without any cache the memory's bandwidth would cap the arithmetic: 2 operations for 8 bytes.
  const double operations_per_byte = 2.0 * static_cast<double>(multiply_adds) / static_cast<double>(bytes);
  CHECK(86.4 * operations_per_byte == doctest::Approx(21.6));
  CHECK(200 * operations_per_byte == doctest::Approx(50));
  CHECK(200 * operations_per_byte / 1500 == doctest::Approx(0.033).epsilon(0.02));
}

TEST_CASE("claim 14: tile 16: 512 lane loads for 8,192 operations per phase and block; tile 32: 2,048 for 65,536") {
  CHECK(lane_loads(square_product(16).tiled<16>()) == 512);
  CHECK(2 * 16 * 16 * 16 == 8192);
  CHECK(lane_loads(square_product(32).tiled<32>()) == 2048);
  CHECK(2 * 32 * 32 * 32 == 65536);
}

TEST_CASE("claim 14: lane loads fall to 1/TILE_WIDTH of the naive product's") {
  square_product product(width);
  const std::uint64_t naive = lane_loads(product.naive());
  REQUIRE(naive == 2 * multiply_adds);
  CHECK(lane_loads(product.tiled<16>()) * 16 == naive);
  CHECK(lane_loads(product.tiled<32>()) * 32 == naive);
}

TEST_CASE("claim 15: two 16x16 float tiles take 2 KB a block, two 32x32 take 8 KB") {
  constexpr std::uint64_t lectures_shared_bytes = 16 * 1024, lectures_threads = 1536;
  square_product product(width);
  const std::uint64_t narrow = product.tiled<16>().shared_bytes_per_block();
  CHECK(narrow == 2 * 1024);
  CHECK(lectures_shared_bytes / narrow == 8);
  CHECK(lectures_threads / (16 * 16) == 6);
  const std::uint64_t wide = product.tiled<32>().shared_bytes_per_block();
  CHECK(wide == 8 * 1024);
  CHECK(lectures_shared_bytes / wide == 2);
  CHECK(lectures_threads / (32 * 32) == 1);
}

TEST_CASE("claim 16: 1,000x1,000 in 32x32 tiles: 32 warps load M partially in the last phase, 8 in the bottom blocks") {
  square_product product(1000);
  constexpr int last_phase = 31, bottom = 31;
  const request_counters inside = product.part<32>(last_phase, 0).reads_of("m");
  CHECK(inside.requests == 32);
  CHECK(inside.lanes == 32 * 8);  // columns 992 to 999
  const request_counters below = product.part<32>(last_phase, bottom).reads_of("m");
  CHECK(below.requests == 8);  // rows 992 to 999
  CHECK(below.lanes == 8 * 8);
}

TEST_CASE("claim 17: with a coarsening factor of 4 the lane loads of M are a quarter of the tiled product's") {
  square_product product(128);
  const measurement tiled = product.tiled<16>();
  const measurement coarsened = product.tiled<16, 4>();
  REQUIRE(tiled.reads_of("m").lanes == 128 * 128 * 128 / 16);
  CHECK(coarsened.reads_of("m").lanes * 4 == tiled.reads_of("m").lanes);
  CHECK(coarsened.reads_of("n").lanes == tiled.reads_of("n").lanes);
}
