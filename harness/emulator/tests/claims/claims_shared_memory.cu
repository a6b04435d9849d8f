// What the lectures state of shared memory: 32 banks of 4-byte words, and one wavefront for each pass through them.
#include <doctest/doctest.h>

#include <numeric>

#include "claims/device_array.h"
#include "claims/lecture.h"
#include "claims/measurement.h"

using namespace simtlab::emulator;
using namespace simtlab::emulator::claims;

namespace {

constexpr int most_words = 32 * 40;

__global__ void read_with_stride(float* out, int stride) {
  __shared__ float words[most_words];
  for (int i = threadIdx.x; i < most_words; i += 32) words[i] = static_cast<float>(i);
  __syncthreads();
  out[threadIdx.x] = words[threadIdx.x * stride];
}

}  // namespace

TEST_CASE("claim 9: stride s costs gcd(s, 32) wavefronts, an odd stride 1; one word for all lanes is a broadcast, 1") {
  device_array<float> out("out", 32);
  for (int stride = 1; stride <= 40; ++stride) {
    CAPTURE(stride);
    const request_counters reads =
        measurement([&] { read_with_stride<<<1, 32>>>(out.data(), stride); }).shared_reads_of("words");
    CHECK(reads.requests == 1);
    CHECK(reads.ideal_wavefronts == 1);
    LECTURE_SAYS("stride " + std::to_string(stride) + ": wavefronts", std::gcd(stride, 32), reads.wavefronts);
    CHECK(out.contents()[31] == static_cast<float>(31 * stride));
  }
  const request_counters broadcast =
      measurement([&] { read_with_stride<<<1, 32>>>(out.data(), 0); }).shared_reads_of("words");
  LECTURE_SAYS("one word for all lanes: wavefronts", 1, broadcast.wavefronts);
}

namespace {

// Every warp stores whole rows of the tile and reads whole columns.
template <int Width, int Padding>
__global__ void turn_tile(float* out) {
  __shared__ float tile[Width][Width + Padding];
  tile[threadIdx.y][threadIdx.x] = static_cast<float>(threadIdx.y * Width + threadIdx.x);
  __syncthreads();
  out[threadIdx.y * Width + threadIdx.x] = tile[threadIdx.x][threadIdx.y];
}

struct wavefronts_a_request {
  double rows, columns;
};

template <int Width, int Padding>
wavefronts_a_request turned() {
  device_array<float> out("out", Width * Width);
  const measurement measured([&] { turn_tile<Width, Padding><<<1, dim3(Width, Width)>>>(out.data()); });
  CHECK(out.contents()[1] == Width);
  const auto ratio = [](const request_counters& n) {
    return static_cast<double>(n.wavefronts) / static_cast<double>(n.requests);
  };
  return {ratio(measured.shared_writes_of("tile")), ratio(measured.shared_reads_of("tile"))};
}

}  // namespace

TEST_CASE("claim 10: columns of a 32-wide tile: 32 wavefronts, with one padding column 1") {
  LECTURE_SAYS("32 wide: wavefronts of a row", 1, turned<32, 0>().rows);
  LECTURE_SAYS("32 wide: wavefronts of a column", 32, turned<32, 0>().columns);
  LECTURE_SAYS("32 wide and padded: wavefronts of a row", 1, turned<32, 1>().rows);
  LECTURE_SAYS("32 wide and padded: wavefronts of a column", 1, turned<32, 1>().columns);
}

TEST_CASE("claim 10: a 16-wide tile with 16x16 blocks: columns 8, and 2 with one padding column (rows 1, then 2)") {
  LECTURE_SAYS("16 wide: wavefronts of a row", 1, turned<16, 0>().rows);
  LECTURE_SAYS("16 wide: wavefronts of a column", 8, turned<16, 0>().columns);
  LECTURE_SAYS("16 wide and padded: wavefronts of a row", 2, turned<16, 1>().rows);
  LECTURE_SAYS("16 wide and padded: wavefronts of a column", 2, turned<16, 1>().columns);
}

namespace {

// The lectures' exercise: judge every access of a kernel by eye.
__global__ void exercise(const float* a, const float* b, const float* c, float* d, float* e) {
  __shared__ float a_s[256];
  __shared__ float bc_s[4 * 256];
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  a_s[threadIdx.x] = a[i];
  for (unsigned j = 0; j < 4; ++j) {
    const float from_b = b[j * blockDim.x * gridDim.x + i];
    bc_s[j * 256 + threadIdx.x] = from_b + c[i * 4 + j];
  }
  __syncthreads();
  d[i + 8] = a_s[threadIdx.x];
  e[i * 8] = bc_s[threadIdx.x * 4];
}

}  // namespace

TEST_CASE("claim 11: the lectures' exercise kernel, access by access") {
  constexpr int blocks = 2, threads = 256, n = blocks * threads;
  device_array<float> a("a", n, 1.0f), b("b", 4 * n, 2.0f), c("c", 4 * n, 3.0f), d("d", n + 8), e("e", 8 * n);
  const measurement measured([&] { exercise<<<blocks, threads>>>(a.data(), b.data(), c.data(), d.data(), e.data()); });
  const auto sectors = [](const request_counters& n) {
    return static_cast<double>(n.sectors) / static_cast<double>(n.requests);
  };
  const auto wavefronts = [](const request_counters& n) {
    return static_cast<double>(n.wavefronts) / static_cast<double>(n.requests);
  };
  LECTURE_SAYS("a: sectors per request", 4, sectors(measured.reads_of("a")));
  LECTURE_SAYS("b: sectors per request", 4, sectors(measured.reads_of("b")));
  LECTURE_SAYS("c: sectors per request", 16, sectors(measured.reads_of("c")));
  LECTURE_SAYS("d, shifted by a whole sector: sectors per request", 4, sectors(measured.writes_of("d")));
  LECTURE_SAYS("e: sectors per request", 32, sectors(measured.writes_of("e")));
  LECTURE_SAYS("writes of bc_s: wavefronts per request", 1, wavefronts(measured.shared_writes_of("bc_s")));
  LECTURE_SAYS("reads of bc_s: wavefronts per request", 4, wavefronts(measured.shared_reads_of("bc_s")));
  CHECK(wavefronts(measured.shared_writes_of("a_s")) == 1);
  CHECK(wavefronts(measured.shared_reads_of("a_s")) == 1);
  CHECK(d.contents()[8] == 1);
  CHECK(e.contents()[8] == 5);
}

namespace {

__global__ void count_own_version(int* versions, int* threads_in_version) {
  __shared__ int version;
  if (threadIdx.x == 0) {
    version = 0;
    atomicAdd(versions, 1);
  }
  __syncthreads();
  atomicAdd(&version, 1);
  __syncthreads();
  if (threadIdx.x == 0) threads_in_version[blockIdx.x] = version;
}

}  // namespace

TEST_CASE("claim 12: a __shared__ variable has one version a block: 1,000 blocks of 512 threads make 1,000") {
  device_array<int> versions("versions", 1), threads("threads", 1000);
  const measurement measured([&] { count_own_version<<<1000, 512>>>(versions.data(), threads.data()); });
  LECTURE_SAYS("versions", 1000, versions.contents()[0]);
  for (const int in_version : threads.contents()) REQUIRE(in_version == 512);
  CHECK(measured.silent());
}
