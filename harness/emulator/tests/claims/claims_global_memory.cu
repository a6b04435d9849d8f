// What the lectures state of global memory: sectors of 32 bytes and lines of 128 bytes that one warp request touches.
// A full warp and 4-byte words unless said.
#include <doctest/doctest.h>

#include <algorithm>
#include <numeric>
#include <string>

#include "claims/device_array.h"
#include "claims/lecture.h"
#include "claims/measurement.h"
#include "core/request_figures.h"

using namespace simtlab::emulator;
using namespace simtlab::emulator::claims;

namespace {

__global__ void read_strided(const float* in, float* out, int stride, int shift) {
  out[threadIdx.x] = in[threadIdx.x * stride + shift];
}

__global__ void read_permuted(const float* in, float* out, const int* order) {
  out[threadIdx.x] = in[order[threadIdx.x]];
}

double efficiency_of(const request_counters& n) { return figures_of(memory_space::global, n).efficiency().value(); }
double line_efficiency_of(const request_counters& n) {
  return figures_of(memory_space::global, n).line_efficiency().value();
}

request_counters strided(int stride, int shift) {
  device_array<float> in("in", 2048, 1.0f), out("out", 32);
  return measurement([&] { read_strided<<<1, 32>>>(in.data(), out.data(), stride, shift); }).reads_of("in");
}

request_counters permuted(const std::vector<int>& order) {
  device_array<float> in("in", 32, 1.0f), out("out", 32);
  device_array<int> indices("order", order);
  return measurement([&] { read_permuted<<<1, 32>>>(in.data(), out.data(), indices.data()); }).reads_of("in");
}

}  // namespace

TEST_CASE("claim 1: aligned and consecutive: 1 request, 1 line, 4 sectors; a permutation of the lanes costs the same") {
  std::vector<int> order(32);
  std::iota(order.begin(), order.end(), 0);
  std::string order_name = "in order";
  SUBCASE("in order") {}
  SUBCASE("reversed") {
    order_name = "reversed";
    std::reverse(order.begin(), order.end());
  }
  SUBCASE("shuffled") {
    order_name = "shuffled";
    for (int lane = 0; lane < 32; ++lane) order[lane] = (lane * 13 + 7) % 32;
  }
  const request_counters reads = permuted(order);
  CHECK(reads.lanes == 32);
  LECTURE_SAYS(order_name + ": requests", 1, reads.requests);
  LECTURE_SAYS(order_name + ": lines", 1, reads.lines);
  LECTURE_SAYS(order_name + ": sectors", 4, reads.sectors);
  LECTURE_SAYS(order_name + ": efficiency", 1, efficiency_of(reads));
}

TEST_CASE("claim 2: consecutive but shifted by one word: 5 sectors, 2 lines") {
  const request_counters reads = strided(1, 1);
  CHECK(reads.requests == 1);
  CHECK(reads.ideal_sectors == 4);
  LECTURE_SAYS("sectors", 5, reads.sectors);
  LECTURE_SAYS("efficiency", 0.8, efficiency_of(reads));
  LECTURE_SAYS("lines", 2, reads.lines);
  LECTURE_SAYS("efficiency by lines", 0.5, line_efficiency_of(reads));  // 128 of 256 bytes
}

TEST_CASE("claim 3: all lanes at one address: 1 sector, 1 line") {
  const request_counters reads = strided(0, 0);
  CHECK(reads.requests == 1);
  CHECK(reads.bytes == 128);  // asked for 32 times, fetched once
  CHECK(reads.ideal_sectors == 1);
  LECTURE_SAYS("sectors", 1, reads.sectors);
  LECTURE_SAYS("lines", 1, reads.lines);
  const double distinct_bytes = static_cast<double>(reads.bytes) / 32;
  LECTURE_SAYS("useful part of the line", 4.0 / 128, distinct_bytes / (128.0 * static_cast<double>(reads.lines)));
  LECTURE_SAYS("useful part of the sector", 4.0 / 32, distinct_bytes / (32.0 * static_cast<double>(reads.sectors)));
}

TEST_CASE("claim 4: stride 8 words: 32 sectors in 8 lines; stride 32 words: 32 sectors in 32 lines") {
  const request_counters eight = strided(8, 0);
  LECTURE_SAYS("stride 8: sectors", 32, eight.sectors);
  LECTURE_SAYS("stride 8: lines", 8, eight.lines);
  const request_counters thirty_two = strided(32, 0);
  LECTURE_SAYS("stride 32: sectors", 32, thirty_two.sectors);
  LECTURE_SAYS("stride 32: lines", 32, thirty_two.lines);
}

namespace {

constexpr int width = 64;

__global__ void multiply_row_major(const float* a, const float* b, float* c) {
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  float sum = 0;
  for (int p = 0; p < width; ++p) sum += a[row * width + p] * b[p * width + col];
  c[row * width + col] = sum;
}

__global__ void multiply_column_major(const float* a, const float* b, float* c) {
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  float sum = 0;
  for (int p = 0; p < width; ++p) sum += a[row * width + p] * b[col * width + p];
  c[row * width + col] = sum;
}

// B is column-major: its tile is fetched along the columns' direction of memory and turned on the way into the tile.
template <int Tile>
__global__ void multiply_corner_turned(const float* a, const float* b, float* c) {
  __shared__ float tile_a[Tile][Tile];
  __shared__ float tile_b[Tile][Tile + 1];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int row = blockIdx.y * Tile + ty, first_col = blockIdx.x * Tile;
  float sum = 0;
  for (int first = 0; first < width; first += Tile) {
    tile_a[ty][tx] = a[row * width + first + tx];
    tile_b[tx][ty] = b[(first_col + ty) * width + first + tx];
    __syncthreads();
    for (int p = 0; p < Tile; ++p) sum += tile_a[ty][p] * tile_b[p][tx];
    __syncthreads();
  }
  c[row * width + first_col + tx] = sum;
}

struct operands {
  double a, b;  ///< sectors per request
};

template <class Kernel>
operands sectors_per_request(Kernel kernel, dim3 block) {
  device_array<float> a("a", width * width, 1.0f), b("b", width * width, 2.0f), c("c", width * width);
  const dim3 grid(width / block.x, width / block.y);
  const measurement measured([&] { kernel<<<grid, block>>>(a.data(), b.data(), c.data()); });
  for (const float element : c.contents()) REQUIRE(element == 2.0f * width);
  const auto ratio = [](const request_counters& n) {
    return static_cast<double>(n.sectors) / static_cast<double>(n.requests);
  };
  return {ratio(measured.reads_of("a")), ratio(measured.reads_of("b"))};
}

}  // namespace

TEST_CASE("claim 5: sectors a request of the operands of a product") {
  SUBCASE("32-wide blocks: one operand 1, the other 4; column-major 32") {
    const operands row_major = sectors_per_request(multiply_row_major, dim3(32, 8));
    LECTURE_SAYS("32 wide, A: sectors per request", 1, row_major.a);
    LECTURE_SAYS("32 wide, B row-major: sectors per request", 4, row_major.b);
    LECTURE_SAYS("32 wide, B column-major: sectors per request", 32,
                 sectors_per_request(multiply_column_major, dim3(32, 8)).b);
  }
  SUBCASE("16x16 blocks: 2 and 2; column-major 16") {
    const operands row_major = sectors_per_request(multiply_row_major, dim3(16, 16));
    LECTURE_SAYS("16x16, A: sectors per request", 2, row_major.a);
    LECTURE_SAYS("16x16, B row-major: sectors per request", 2, row_major.b);
    LECTURE_SAYS("16x16, B column-major: sectors per request", 16,
                 sectors_per_request(multiply_column_major, dim3(16, 16)).b);
  }
  SUBCASE("corner turning restores the row-major figures") {
    LECTURE_SAYS("32 wide, corner turned: sectors per request", 4,
                 sectors_per_request(multiply_corner_turned<32>, dim3(32, 32)).b);
    LECTURE_SAYS("16x16, corner turned (two rows of two): sectors per request", 4,
                 sectors_per_request(multiply_corner_turned<16>, dim3(16, 16)).b);
  }
}

namespace {

struct particle {
  float position, speed;
};

__global__ void read_field(const particle* particles, float* out) { out[threadIdx.x] = particles[threadIdx.x].speed; }

__global__ void read_array(const float* speeds, float* out) { out[threadIdx.x] = speeds[threadIdx.x]; }

}  // namespace

TEST_CASE("claim 6: one field of a structure of two floats: 8 sectors, half of them useful; structure of arrays: 4") {
  device_array<particle> particles("particles", 32, particle{1, 2});
  device_array<float> speeds("speeds", 32, 2.0f), out("out", 32);
  const measurement measured([&] {
    read_field<<<1, 32>>>(particles.data(), out.data());
    read_array<<<1, 32>>>(speeds.data(), out.data());
  });
  LECTURE_SAYS("structures: sectors", 8, measured.reads_of("particles").sectors);
  LECTURE_SAYS("structures: useful part", 0.5, efficiency_of(measured.reads_of("particles")));
  LECTURE_SAYS("arrays: sectors", 4, measured.reads_of("speeds").sectors);
  LECTURE_SAYS("arrays: useful part", 1, efficiency_of(measured.reads_of("speeds")));
}

namespace {

__global__ void read_rows(const char* matrix, size_t pitch_bytes, float* out) {
  const float* row = reinterpret_cast<const float*>(matrix + blockIdx.x * pitch_bytes);
  out[blockIdx.x * 32 + threadIdx.x] = row[threadIdx.x];
}

constexpr int row_count = 8;

request_counters rows_with_pitch(size_t words) {
  device_array<float> matrix("matrix", row_count * words, 1.0f), out("out", row_count * 32);
  const measurement measured([&] {
    read_rows<<<row_count, 32>>>(reinterpret_cast<const char*>(matrix.data()), words * sizeof(float), out.data());
  });
  return measured.reads_of("matrix");
}

}  // namespace

TEST_CASE("claim 7: a pitch of no multiple of 8 words misaligns sectors, of 32 lines; cudaMallocPitch repairs both") {
  // Every second row begins in the middle of a sector.
  LECTURE_SAYS("pitch 36 words, 8 rows: sectors", 4 * 4 + 4 * 5, rows_with_pitch(36).sectors);
  LECTURE_SAYS("pitch 40 words: sectors", row_count * 4, rows_with_pitch(40).sectors);
  LECTURE_SAYS("pitch 40 words: lines", 2 * 1 + 6 * 2, rows_with_pitch(40).lines);  // rows 0 and 4 begin at a line
  LECTURE_SAYS("pitch 64 words: lines", row_count, rows_with_pitch(64).lines);

  void* matrix = nullptr;
  size_t pitch = 0;
  expect_success(cudaMallocPitch(&matrix, &pitch, 36 * sizeof(float), row_count));
  expect_success(cudaMemset(matrix, 0, pitch * row_count));
  name_memory(matrix, pitch * row_count, "pitched");
  device_array<float> out("out", row_count * 32);
  const measurement measured([&] { read_rows<<<row_count, 32>>>(static_cast<char*>(matrix), pitch, out.data()); });
  LECTURE_SAYS("36 words by cudaMallocPitch: sectors", row_count * 4, measured.reads_of("pitched").sectors);
  LECTURE_SAYS("36 words by cudaMallocPitch: lines", row_count, measured.reads_of("pitched").lines);
  expect_success(cudaFree(matrix));
}

namespace {

__global__ void load_tile(const float* matrix, float* out) {
  __shared__ float tile[32][32];
  tile[threadIdx.y][threadIdx.x] = matrix[threadIdx.y * 128 + threadIdx.x];
  __syncthreads();
  out[threadIdx.y * 32 + threadIdx.x] = tile[31 - threadIdx.y][threadIdx.x];
}

}  // namespace

TEST_CASE("claim 8: loading one aligned 32x32 float tile: 32 requests, 128 sectors, 32 lines") {
  device_array<float> matrix("matrix", 128 * 32, 1.0f), out("out", 32 * 32);
  const request_counters reads =
      measurement([&] { load_tile<<<1, dim3(32, 32)>>>(matrix.data(), out.data()); }).reads_of("matrix");
  LECTURE_SAYS("requests", 32, reads.requests);
  LECTURE_SAYS("sectors", 128, reads.sectors);
  LECTURE_SAYS("lines, the lectures' bursts", 32, reads.lines);
}
