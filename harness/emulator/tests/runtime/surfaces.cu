// Surfaces and layered arrays: values by the programming guide's rules, coordinates outside, errors as CUDA's, and findings.
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "claims/marked_line.h"
#include "claims/measurement.h"
#include "emulator.h"
#include "runtime/device_memory.h"

using namespace simtlab::emulator;

namespace {

int line(const char* marker) { return claims::marked_line(__FILE__, marker); }
bool has(const std::string& text, const std::string& what) { return text.find(what) != std::string::npos; }

/// An array with its surface object.
template <class T>
class array_surface {
 public:
  array_surface(cudaExtent extent, unsigned flags = 0) {
    const cudaChannelFormatDesc format = cudaCreateChannelDesc<T>();
    REQUIRE(cudaMalloc3DArray(&array, &format, extent, flags | cudaArraySurfaceLoadStore) == cudaSuccess);
    const cudaResourceDesc resource = description();
    REQUIRE(cudaCreateSurfaceObject(&object, &resource) == cudaSuccess);
  }
  ~array_surface() {
    cudaDestroySurfaceObject(object);
    cudaFreeArray(array);
  }
  array_surface(const array_surface&) = delete;
  array_surface& operator=(const array_surface&) = delete;

  [[nodiscard]] cudaResourceDesc description() const {
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
    return resource;
  }

  cudaArray_t array = nullptr;
  cudaSurfaceObject_t object = 0;
};

}  // namespace

__global__ void fill(cudaSurfaceObject_t s) {
  surf2Dwrite(10.0f * threadIdx.y + threadIdx.x, s, threadIdx.x * sizeof(float), threadIdx.y);  //@ surface write
}
__global__ void read_at(cudaSurfaceObject_t s, const int2* at, float* out, cudaSurfaceBoundaryMode mode) {
  surf2Dread(&out[threadIdx.x], s, at[threadIdx.x].x * 4, at[threadIdx.x].y, mode);
}
__global__ void write_at(cudaSurfaceObject_t s, int x, int y, cudaSurfaceBoundaryMode mode) {
  surf2Dwrite(-1.0f, s, x * 4, y, mode);
}

TEST_CASE("what a kernel writes through a surface, copies and textures read") {
  const array_surface<float> s(make_cudaExtent(4, 3, 0));
  fill<<<1, dim3(4, 3)>>>(s.object);
  std::vector<float> all(12);
  CHECK(cudaMemcpy2DFromArray(all.data(), 16, s.array, 0, 0, 16, 3, cudaMemcpyDeviceToHost) == cudaSuccess);
  CHECK(all == std::vector<float>{0, 1, 2, 3, 10, 11, 12, 13, 20, 21, 22, 23});
  CHECK(take_report().findings.empty());
}

TEST_CASE("outside: zero reads 0 and writes nothing, clamp takes the nearest texel") {
  const array_surface<float> s(make_cudaExtent(4, 3, 0));
  fill<<<1, dim3(4, 3)>>>(s.object);
  device_memory<int2> at(std::vector<int2>{{-1, 0}, {4, 2}, {1, -5}, {9, 9}, {2, 1}});
  device_memory<float> out(5);
  read_at<<<1, 5>>>(s.object, at.get(), out.get(), cudaBoundaryModeZero);
  CHECK(out.host() == std::vector<float>{0, 0, 0, 0, 12});
  read_at<<<1, 5>>>(s.object, at.get(), out.get(), cudaBoundaryModeClamp);
  CHECK(out.host() == std::vector<float>{0, 23, 1, 23, 12});
  write_at<<<1, 1>>>(s.object, 4, 0, cudaBoundaryModeZero);
  write_at<<<1, 1>>>(s.object, 7, 7, cudaBoundaryModeClamp);
  read_at<<<1, 5>>>(s.object, at.get(), out.get(), cudaBoundaryModeClamp);
  CHECK(out.host() == std::vector<float>{0, -1, 1, -1, 12});
  CHECK(take_report().findings.empty());
}

__global__ void as_index(cudaSurfaceObject_t s, float* out) {
  *out = surf2Dread<float>(s, threadIdx.x + 3, 0);  //@ index for a byte
}

TEST_CASE("an index where x counts bytes ends the kernel with the sentence that helps") {
  {
    const array_surface<float> s(make_cudaExtent(8, 2, 0));
    fill<<<1, dim3(8, 2)>>>(s.object);
    device_memory<float> out(1);
    const claims::measurement m([&] { as_index<<<1, 1>>>(s.object, out.get()); });
    CHECK(cudaDeviceSynchronize() == cudaErrorMisalignedAddress);
    REQUIRE(m.findings(rule::misaligned).size() == 1);
    CHECK(m.findings(rule::misaligned)[0].first.where.line == line("index for a byte"));
    CHECK(has(m.findings(rule::misaligned)[0].message, "x counts bytes: multiply an index by sizeof"));
  }
  CHECK(cudaDeviceReset() == cudaSuccess);
}

TEST_CASE("a coordinate outside ends the kernel, unless a mode allows it") {
  {
    const array_surface<float> s(make_cudaExtent(8, 2, 0));
    const claims::measurement m([&] { write_at<<<1, 1>>>(s.object, 8, 1, cudaBoundaryModeTrap); });
    CHECK(cudaDeviceSynchronize() == cudaErrorIllegalAddress);
    REQUIRE(m.findings(rule::out_of_bounds).size() == 1);
    CHECK(has(m.findings(rule::out_of_bounds)[0].message,
              "4 bytes at byte 32, row 1 lie outside of the surface, which has 2 rows of 32 bytes"));
  }
  CHECK(cudaDeviceReset() == cudaSuccess);
}

__global__ void neighbours(cudaSurfaceObject_t s) {
  const int x = threadIdx.x;
  const float left = surf1Dread<float>(s, (x + 31) % 64 * 4);  //@ read beside
  surf1Dwrite(left + 1, s, x * 4);                             //@ write of its own
}

TEST_CASE("threads race through a surface as through memory, and what nobody wrote is uninitialised") {
  const array_surface<float> s(make_cudaExtent(64, 0, 0));
  const claims::measurement m([&] { neighbours<<<1, 64>>>(s.object); });
  REQUIRE(m.findings(rule::global_race).size() == 1);
  CHECK(claims::is_between(m.findings(rule::global_race)[0], line("read beside"), line("write of its own")));
  CHECK(m.findings(rule::global_race)[0].variable == "s");
  const array_surface<float> unset(make_cudaExtent(4, 3, 0));
  device_memory<int2> at(std::vector<int2>{{1, 1}});
  device_memory<float> out(1);
  const claims::measurement reads([&] { read_at<<<1, 1>>>(unset.object, at.get(), out.get(), cudaBoundaryModeTrap); });
  REQUIRE(reads.findings(rule::uninitialised_global).size() == 1);
}

__global__ void store_then_fetch(cudaSurfaceObject_t s, cudaTextureObject_t t, float* out) {
  surf1Dwrite(5.0f, s, threadIdx.x * 4);                   //@ store of a texel
  out[threadIdx.x] = tex1D<float>(t, threadIdx.x + 0.5f);  //@ fetch of the same launch
}

TEST_CASE("a texture does not see what the same launch writes through a surface") {
  const array_surface<float> s(make_cudaExtent(32, 0, 0));
  const cudaResourceDesc resource = s.description();
  const cudaTextureDesc how = {};
  cudaTextureObject_t texture = 0;
  REQUIRE(cudaCreateTextureObject(&texture, &resource, &how, nullptr) == cudaSuccess);
  device_memory<float> out(32);
  const claims::measurement m([&] { store_then_fetch<<<1, 32>>>(s.object, texture, out.get()); });
  REQUIRE(m.findings(rule::stale_texel).size() == 1);
  CHECK(
      claims::is_between(m.findings(rule::stale_texel)[0], line("store of a texel"), line("fetch of the same launch")));
  cudaDestroyTextureObject(texture);
}

__global__ void fill_layers(cudaSurfaceObject_t s) {
  surf2DLayeredwrite(make_short2(threadIdx.x, 100 * blockIdx.x + threadIdx.y), s, threadIdx.x * 4, threadIdx.y,
                     blockIdx.x);
}
__global__ void sum_layers(cudaTextureObject_t t, cudaSurfaceObject_t s, int* out) {
  int sum = 0;
  for (int layer = -1; layer <= 3; ++layer) sum += tex2DLayered<short2>(t, threadIdx.x, threadIdx.y, layer).y;
  out[threadIdx.y * 4 + threadIdx.x] = sum + 1000 * surf2DLayeredread<short2>(s, threadIdx.x * 4, threadIdx.y, 2).x;
}

TEST_CASE("layers: written one by one, fetched as they are, a layer outside, below 0, too, is the last") {
  const array_surface<short2> s(make_cudaExtent(4, 2, 3), cudaArrayLayered);
  fill_layers<<<3, dim3(4, 2)>>>(s.object);
  const cudaResourceDesc resource = s.description();
  const cudaTextureDesc how = {};
  cudaTextureObject_t texture = 0;
  REQUIRE(cudaCreateTextureObject(&texture, &resource, &how, nullptr) == cudaSuccess);
  device_memory<int> out(8);
  sum_layers<<<1, dim3(4, 2)>>>(texture, s.object, out.get());
  // Layers -1 to 3 are 2, 0, 1, 2, 2: 700, and five times the row.
  CHECK(out.host() == std::vector<int>{700, 1700, 2700, 3700, 705, 1705, 2705, 3705});
  CHECK(take_report().findings.empty());
  cudaDestroyTextureObject(texture);
}

__global__ void middle_of_layers(cudaTextureObject_t t, float* out) { *out = tex1DLayered<float>(t, 1.0f, 1); }

TEST_CASE("the linear filter stays in its layer") {
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  cudaArray_t array = nullptr;
  REQUIRE(cudaMalloc3DArray(&array, &format, make_cudaExtent(2, 0, 2), cudaArrayLayered) == cudaSuccess);
  const float texels[4] = {1, 2, 10, 30};
  cudaMemcpy3DParms p = {};
  p.srcPtr = make_cudaPitchedPtr(const_cast<float*>(texels), 8, 2, 1);
  p.dstArray = array;
  p.extent = make_cudaExtent(2, 1, 2);
  p.kind = cudaMemcpyHostToDevice;
  REQUIRE(cudaMemcpy3D(&p) == cudaSuccess);
  cudaResourceDesc resource = {};
  resource.res.array.array = array;
  cudaTextureDesc how = {};
  how.filterMode = cudaFilterModeLinear;
  cudaTextureObject_t texture = 0;
  REQUIRE(cudaCreateTextureObject(&texture, &resource, &how, nullptr) == cudaSuccess);
  device_memory<float> out(1);
  middle_of_layers<<<1, 1>>>(texture, out.get());
  CHECK(out.host() == std::vector<float>{20});
  cudaDestroyTextureObject(texture);
  cudaFreeArray(array);
}

__global__ void volume(cudaSurfaceObject_t s, int* out) {
  surf3Dwrite((int)(threadIdx.x + 10 * threadIdx.y + 100 * threadIdx.z), s, threadIdx.x * 4, threadIdx.y, threadIdx.z);
  __syncthreads();
  out[threadIdx.x] = surf3Dread<int>(s, threadIdx.x * 4, 1 - threadIdx.x, 1);
}

TEST_CASE("three dimensions; a kernel reads behind a barrier what its block wrote") {
  const array_surface<int> s(make_cudaExtent(2, 2, 2));
  device_memory<int> out(2);
  volume<<<1, dim3(2, 2, 2)>>>(s.object, out.get());
  CHECK(out.host() == std::vector<int>{110, 101});
}

TEST_CASE("what is no surface is refused with CUDA's error and a sentence") {
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  cudaArray_t plain = nullptr;
  REQUIRE(cudaMallocArray(&plain, &format, 4, 4) == cudaSuccess);
  cudaResourceDesc resource = {};
  resource.res.array.array = plain;
  cudaSurfaceObject_t object = 0;
  const auto refused = [&](const char* words) {
    CAPTURE(words);
    static_cast<void>(take_report());
    CHECK(cudaCreateSurfaceObject(&object, &resource) == cudaErrorInvalidValue);
    CHECK(cudaGetLastError() == cudaErrorInvalidValue);
    const report r = take_report();
    REQUIRE(r.findings.size() == 1);
    CHECK(has(r.findings[0].message, words));
  };
  refused("without cudaArraySurfaceLoadStore");
  resource.resType = cudaResourceTypeLinear;
  refused("A surface needs an array");
  cudaFreeArray(plain);
  CHECK(cudaDestroySurfaceObject(0x1234) == cudaErrorInvalidValue);
  CHECK(cudaDestroySurfaceObject(0) == cudaSuccess);
  static_cast<void>(cudaGetLastError());
  const array_surface<float> flat(make_cudaExtent(4, 4, 0));
  device_memory<int> out(1);
  const claims::measurement m([&] { volume<<<1, 1>>>(flat.object, out.get()); });
  REQUIRE(m.findings(rule::texture_mismatch).size() == 1);
  CHECK(has(m.findings(rule::texture_mismatch)[0].message,
            "surf3Dread and write are for another kind of array than the "
            "surface's, which takes surf2Dread and write"));
  CHECK(cudaDeviceReset() == cudaSuccess);
}
