// Texture fetches: values by the programming guide's rules, counts, errors as CUDA's, and findings.
#include <doctest/doctest.h>

#include <array>
#include <string>

#include "claims/marked_line.h"
#include "claims/measurement.h"
#include "emulator.h"
#include "runtime/device_memory.h"

using namespace simtlab::emulator;

namespace {

int line(const char* marker) { return claims::marked_line(__FILE__, marker); }
bool has(const std::string& text, const std::string& what) { return text.find(what) != std::string::npos; }

cudaTextureDesc reading(cudaTextureAddressMode mode, cudaTextureFilterMode filter, bool normalised = false,
                        cudaTextureReadMode read = cudaReadModeElementType) {
  cudaTextureDesc d = {};
  for (auto& m : d.addressMode) m = mode;
  d.filterMode = filter;
  d.readMode = read;
  d.normalizedCoords = normalised;
  return d;
}

/// An array with its texture object.
template <class T>
class array_texture {
 public:
  array_texture(const std::vector<T>& texels, const cudaTextureDesc& how, cudaExtent extent) {
    const cudaChannelFormatDesc format = cudaCreateChannelDesc<T>();
    REQUIRE(cudaMalloc3DArray(&array_, &format, extent) == cudaSuccess);
    REQUIRE(cudaMemcpyToArray(array_, 0, 0, texels.data(), texels.size() * sizeof(T), cudaMemcpyHostToDevice) ==
            cudaSuccess);
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array_;
    REQUIRE(cudaCreateTextureObject(&object, &resource, &how, nullptr) == cudaSuccess);
  }
  ~array_texture() {
    cudaDestroyTextureObject(object);
    cudaFreeArray(array_);
  }
  array_texture(const array_texture&) = delete;
  array_texture& operator=(const array_texture&) = delete;
  cudaTextureObject_t object = 0;

 private:
  cudaArray_t array_ = nullptr;
};

template <class T>
cudaTextureObject_t linear_texture(T* memory, std::size_t count) {
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeLinear;
  resource.res.linear = {memory, cudaCreateChannelDesc<T>(), count * sizeof(T)};
  const cudaTextureDesc how = {};
  cudaTextureObject_t object = 0;
  REQUIRE(cudaCreateTextureObject(&object, &resource, &how, nullptr) == cudaSuccess);
  return object;
}

}  // namespace

template <class T>
__global__ void fetch_1d(cudaTextureObject_t texture, const float* x, T* out) {
  out[threadIdx.x] = tex1D<T>(texture, x[threadIdx.x]);
}

namespace {

template <class T>
std::vector<T> fetched(cudaTextureObject_t texture, const std::vector<float>& x) {
  device_memory<float> at(x);
  device_memory<T> out(x.size());
  fetch_1d<T><<<1, x.size()>>>(texture, at.get(), out.get());
  return out.host();
}

}  // namespace

TEST_CASE("a linear filter weighs by 8 bits of fraction, between the texels' middles") {
  const array_texture<float> t({10, 20, 40, 80}, reading(cudaAddressModeClamp, cudaFilterModeLinear),
                               make_cudaExtent(4, 0, 0));
  CHECK(fetched<float>(t.object, {0.5f, 1.0f, 1.5f, 1.75f, 3.5f}) == std::vector<float>{10, 15, 20, 25, 80});
  CHECK(fetched<float>(t.object, {-3, 0, 4, 99}) == std::vector<float>{10, 10, 80, 80});  // clamped
  CHECK(fetched<float>(t.object, {1.1f}) == std::vector<float>{10 + 10 * 154.0f / 256});  // 0.6 is 153.6 / 256
}

TEST_CASE("a point filter takes the texel whose interval the coordinate lies in") {
  const array_texture<float> t({10, 20, 40, 80}, reading(cudaAddressModeClamp, cudaFilterModePoint),
                               make_cudaExtent(4, 0, 0));
  CHECK(fetched<float>(t.object, {0, 0.99f, 1, 3.99f, 4, -0.01f, NAN}) ==
        std::vector<float>{10, 10, 20, 80, 80, 10, 10});
}

TEST_CASE("addressing: wrap and mirror with normalised coordinates, border with the border's colour") {
  const std::vector<float> texels{10, 20, 40, 80};
  const cudaExtent four = make_cudaExtent(4, 0, 0);
  const array_texture<float> wrap(texels, reading(cudaAddressModeWrap, cudaFilterModePoint, true), four);
  CHECK(fetched<float>(wrap.object, {-0.125f, 0.125f, 1.125f, 2.875f}) == std::vector<float>{80, 10, 10, 80});
  const array_texture<float> mirror(texels, reading(cudaAddressModeMirror, cudaFilterModePoint, true), four);
  CHECK(fetched<float>(mirror.object, {-0.125f, -0.375f, 1.125f, 2.125f}) == std::vector<float>{10, 20, 80, 10});
  cudaTextureDesc outside = reading(cudaAddressModeBorder, cudaFilterModeLinear);
  const array_texture<float> border(texels, outside, four);
  CHECK(fetched<float>(border.object, {0, 4, -1, 9}) ==
        std::vector<float>{2.5f, 20, 0, 0});  // half of it lies outside in y
  outside.borderColor[0] = 8;
  const array_texture<float> coloured(texels, outside, four);
  CHECK(fetched<float>(coloured.object, {-1, 0}) == std::vector<float>{8, 8.5f});
  outside.addressMode[1] = cudaAddressModeClamp;
  const array_texture<float> along_x(texels, outside, four);
  CHECK(fetched<float>(along_x.object, {-1, 0, 4}) == std::vector<float>{8, 9, 44});
  // Without normalised coordinates wrap clamps.
  const array_texture<float> plain(texels, reading(cudaAddressModeWrap, cudaFilterModePoint), four);
  CHECK(fetched<float>(plain.object, {-1, 5}) == std::vector<float>{10, 80});
  // A wrapped filter goes around the end.
  const array_texture<float> around(texels, reading(cudaAddressModeWrap, cudaFilterModeLinear, true), four);
  CHECK(fetched<float>(around.object, {0, 1}) == std::vector<float>{45, 45});
}

TEST_CASE("whole numbers are read as they are, or as floats between 0 or -1 and 1") {
  const cudaExtent three = make_cudaExtent(3, 0, 0);
  const array_texture<signed char> as_is({-128, 5, 127}, reading(cudaAddressModeClamp, cudaFilterModePoint), three);
  CHECK(fetched<signed char>(as_is.object, {0, 1, 2}) == std::vector<signed char>{-128, 5, 127});
  const auto normalised = reading(cudaAddressModeClamp, cudaFilterModePoint, false, cudaReadModeNormalizedFloat);
  const array_texture<signed char> small({-128, 0, 127}, normalised, three);
  CHECK(fetched<float>(small.object, {0, 1, 2}) == std::vector<float>{-1, 0, 1});
  const array_texture<unsigned short> wide({0, 13107, 65535}, normalised, three);
  CHECK(fetched<float>(wide.object, {0, 1, 2}) == std::vector<float>{0, 0.2f, 1});
}

__global__ void fetch_2d(cudaTextureObject_t texture, float x, float y, float4* out) {
  *out = tex2D<float4>(texture, x, y);  //@ fetch of float4
}

TEST_CASE("two dimensions: four texels, each channel on its own") {
  const array_texture<float4> t(
      {make_float4(0, 1, 2, 3), make_float4(10, 1, 4, 3), make_float4(20, 1, 6, 3), make_float4(30, 1, 8, 3)},
      reading(cudaAddressModeClamp, cudaFilterModeLinear), make_cudaExtent(2, 2, 0));
  device_memory<float4> out(1);
  fetch_2d<<<1, 1>>>(t.object, 1.25f, 1, out.get());
  const float4 v = out.host()[0];
  CHECK(v.x == 0.5f * (0.25f * 0 + 0.75f * 10) + 0.5f * (0.25f * 20 + 0.75f * 30));
  CHECK(v.y == 1);
  CHECK(v.z == 5.5f);
  CHECK(v.w == 3);
}

__global__ void copy_row(cudaTextureObject_t texture, float* out) {
  out[threadIdx.x] = tex1Dfetch<float>(texture, threadIdx.x);  //@ fetch of a row
}

TEST_CASE("a fetch is one request of the texture space, whatever the filter reads; the memory is called by its name") {
  device_memory<float> in(64, 3.0f), out(64);
  name_memory(in.get(), 256, "in");
  const cudaTextureObject_t texture = linear_texture(in.get(), 64);
  const claims::measurement m([&] { copy_row<<<1, 64>>>(texture, out.get()); });
  CHECK(m.silent());
  const request_counters c = m.of(memory_space::texture, access::read, "in");
  CHECK(c.requests == 2);
  CHECK(c.lanes == 64);
  CHECK(c.bytes == 256);
  CHECK(c.sectors == 8);  // of the texels; how the unit serves them nobody documents
  CHECK(m.of(memory_space::global, access::read, "").requests == 0);
  CHECK(out.host() == std::vector<float>(64, 3.0f));
  cudaDestroyTextureObject(texture);

  const array_texture<float> filtered({1, 2, 3, 4}, reading(cudaAddressModeClamp, cudaFilterModeLinear),
                                      make_cudaExtent(2, 2, 0));
  device_memory<float> x(32);
  const claims::measurement four([&] { fetch_1d<float><<<1, 32>>>(filtered.object, x.get(), out.get()); });
  CHECK(four.findings(rule::texture_mismatch).size() == 1);  // of two dimensions, read by tex1D
  CHECK(four.of(memory_space::texture, access::read, "").requests == 1);
}

TEST_CASE("tex1Dfetch outside gives 0 and a warning at its line") {
  device_memory<float> in(40, 1.0f), out(64);
  const cudaTextureObject_t texture = linear_texture(in.get(), 40);
  const claims::measurement m([&] { copy_row<<<1, 64>>>(texture, out.get()); });
  REQUIRE(m.findings(rule::texture_range).size() == 1);
  const finding f = m.findings(rule::texture_range)[0];
  CHECK(f.level == severity::warning);
  CHECK(f.first.where.line == line("fetch of a row"));
  CHECK(f.first.thread.x == 40);
  CHECK(has(f.message, "element 40 of a texture of 40"));
  CHECK(m.whole().findings.size() == 1);
  CHECK(out.host()[39] == 1);
  CHECK(out.host()[40] == 0);
  cudaDestroyTextureObject(texture);
}

__global__ void fetch_of_unset(cudaTextureObject_t texture, float* out) {
  *out = tex1Dfetch<float>(texture, 2);  //@ fetch of unset memory
}

TEST_CASE("a fetch of memory that nobody stored to") {
  float *in = nullptr, *out = nullptr;
  cudaMalloc(&in, 16);
  cudaMalloc(&out, 4);
  cudaMemset(in, 0, 8);
  const cudaTextureObject_t texture = linear_texture(in, 4);
  const claims::measurement m([&] { fetch_of_unset<<<1, 1>>>(texture, out); });
  REQUIRE(m.findings(rule::uninitialised_global).size() == 1);
  CHECK(m.findings(rule::uninitialised_global)[0].first.where.line == line("fetch of unset memory"));
  cudaFree(in);
  cudaFree(out);
}

__global__ void double_in_place(cudaTextureObject_t texture, float* data) {
  data[threadIdx.x] = 2 * tex1Dfetch<float>(texture, threadIdx.x);
}

__global__ void store_then_fetch(cudaTextureObject_t texture, float* data, float* out) {
  data[threadIdx.x] = threadIdx.x;                             //@ store
  out[threadIdx.x] = tex1Dfetch<float>(texture, threadIdx.x);  //@ own fetch
  __syncthreads();
  out[threadIdx.x] += tex1Dfetch<float>(texture, blockDim.x - 1 - threadIdx.x);  //@ fetch behind the barrier
}

TEST_CASE("a fetch behind a write of the same launch is undefined, one before it is not") {
  device_memory<float> data(64, 1.0f), out(64);
  const cudaTextureObject_t texture = linear_texture(data.get(), 64);
  const claims::measurement clean([&] { double_in_place<<<1, 64>>>(texture, data.get()); });
  CHECK(clean.silent());
  for (const int workers : {1, 2}) {
    for (const auto& turns : {"in-order", "reverse"}) {
      options o;
      o.workers = static_cast<unsigned>(workers);
      o.turns = *schedule_from(turns);
      configure(o);
      const claims::measurement m([&] { store_then_fetch<<<1, 64>>>(texture, data.get(), out.get()); });
      const std::vector<finding> found = m.findings(rule::stale_texel);
      REQUIRE(found.size() == 2);
      CHECK(claims::is_between(found[0], line("store"), line("own fetch")));
      CHECK(claims::is_between(found[1], line("store"), line("fetch behind the barrier")));
      CHECK(m.whole().findings.size() == 2);
    }
  }
  configure({});
  cudaDestroyTextureObject(texture);
}

__global__ void fetch_of_another_block(cudaTextureObject_t texture, float* data) {
  data[blockIdx.x] = tex1Dfetch<float>(texture, 1 - blockIdx.x);  //@ between blocks
}

TEST_CASE("a fetch races with the write of another block") {
  device_memory<float> data(2, 1.0f);
  const cudaTextureObject_t texture = linear_texture(data.get(), 2);
  const claims::measurement m([&] { fetch_of_another_block<<<2, 1>>>(texture, data.get()); });
  REQUIRE(m.findings(rule::global_race).size() == 1);
  CHECK(claims::is_between(m.findings(rule::global_race)[0], line("between blocks"), line("between blocks")));
  cudaDestroyTextureObject(texture);
}

TEST_CASE("a fetch of another type than the texture's") {
  const array_texture<unsigned char> t(std::vector<unsigned char>(4, 200),
                                       reading(cudaAddressModeClamp, cudaFilterModePoint), make_cudaExtent(2, 2, 0));
  device_memory<float4> out(1);
  const claims::measurement m([&] { fetch_2d<<<1, 1>>>(t.object, 0, 0, out.get()); });
  REQUIRE(m.findings(rule::texture_mismatch).size() == 1);
  const finding f = m.findings(rule::texture_mismatch)[0];
  CHECK(f.first.where.line == line("fetch of float4"));
  CHECK(has(f.message, "whole numbers"));
  CHECK(has(f.message, "cudaReadModeNormalizedFloat"));
}

TEST_CASE("what cannot be a texture is refused with CUDA's error and a sentence") {
  float* memory = nullptr;
  REQUIRE(cudaMalloc(&memory, 4096) == cudaSuccess);
  cudaResourceDesc pitched = {};
  pitched.resType = cudaResourceTypePitch2D;
  pitched.res.pitch2D = {memory, cudaCreateChannelDesc<float>(), 8, 8, 64};
  const cudaTextureDesc point = reading(cudaAddressModeClamp, cudaFilterModePoint);
  cudaTextureObject_t object = 0;
  const auto refused = [&](cudaError_t error, const cudaResourceDesc& resource, const cudaTextureDesc& how,
                           const char* words) {
    CAPTURE(words);
    static_cast<void>(take_report());
    CHECK(cudaCreateTextureObject(&object, &resource, &how, nullptr) == error);
    CHECK(cudaGetLastError() == error);
    const report r = take_report();
    REQUIRE(r.findings.size() == 1);
    CHECK(r.findings[0].what == rule::texture_mismatch);
    CHECK(has(r.findings[0].message, words));
  };
  CHECK(cudaCreateTextureObject(&object, &pitched, &point, nullptr) == cudaSuccess);
  cudaDestroyTextureObject(object);
  cudaResourceDesc r = pitched;
  r.res.pitch2D.pitchInBytes = 40;
  refused(cudaErrorInvalidValue, r, point, "multiple of 32");
  r = pitched;
  r.res.pitch2D.width = 17;
  refused(cudaErrorInvalidValue, r, point, "less than a row's 68 bytes");
  r = pitched;
  r.res.pitch2D.height = 65;
  refused(cudaErrorInvalidValue, r, point, "do not lie in one living allocation");
  r = pitched;
  r.res.pitch2D.devPtr = memory + 1;
  refused(cudaErrorInvalidValue, r, point, "multiple of 512");
  r = pitched;
  r.res.pitch2D.desc = cudaCreateChannelDesc(32, 32, 32, 0, cudaChannelFormatKindFloat);
  refused(cudaErrorInvalidChannelDescriptor, r, point, "1, 2 or 4 channels");
  r = pitched;
  r.res.pitch2D.desc = cudaCreateChannelDesc<int>();
  refused(cudaErrorInvalidFilterSetting, r, reading(cudaAddressModeClamp, cudaFilterModeLinear),
          "cudaFilterModeLinear");
  refused(cudaErrorInvalidNormSetting, r,
          reading(cudaAddressModeClamp, cudaFilterModePoint, false, cudaReadModeNormalizedFloat), "8 or 16 bits");
  cudaFree(memory);
  refused(cudaErrorInvalidValue, pitched, point, "living allocation");

  cudaArray_t array = nullptr;
  cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  CHECK(cudaMallocArray(&array, &format, 0, 4) == cudaErrorInvalidValue);
  CHECK(cudaMallocArray(&array, &format, 131073) == cudaErrorInvalidValue);
  format.x = 12;
  CHECK(cudaMallocArray(&array, &format, 4, 4) == cudaErrorInvalidChannelDescriptor);
}

TEST_CASE("arrays: copies keep inside, handles are known when they are gone") {
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<int>();
  cudaArray_t array = nullptr, other = nullptr;
  REQUIRE(cudaMallocArray(&array, &format, 4, 3) == cudaSuccess);
  REQUIRE(cudaMallocArray(&other, &format, 4, 3) == cudaSuccess);
  const std::array<int, 12> in{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};
  std::array<int, 6> out{};
  CHECK(cudaMemcpy2DToArray(array, 0, 0, in.data(), 16, 16, 3, cudaMemcpyHostToDevice) == cudaSuccess);
  CHECK(cudaMemcpy2DArrayToArray(other, 0, 0, array, 0, 0, 16, 3) == cudaSuccess);
  CHECK(cudaMemcpy2DFromArray(out.data(), 8, other, 4, 0, 8, 3, cudaMemcpyDeviceToHost) == cudaSuccess);
  CHECK(out == std::array<int, 6>{1, 2, 5, 6, 9, 10});
  CHECK(cudaMemcpyToArrayAsync(array, 4, 2, in.data(), 8, cudaMemcpyHostToDevice) == cudaSuccess);
  CHECK(cudaMemcpyArrayToArray(other, 0, 0, array, 0, 1, 32) == cudaSuccess);
  CHECK(cudaMemcpyFromArray(out.data(), other, 0, 1, 16, cudaMemcpyDeviceToHost) == cudaSuccess);
  CHECK(out == std::array<int, 6>{8, 0, 1, 11, 9, 10});
  cudaExtent extent = {};
  cudaChannelFormatDesc told = {};
  CHECK(cudaArrayGetInfo(&told, &extent, nullptr, array) == cudaSuccess);
  CHECK(told.x == 32);
  CHECK(extent.width == 4);
  CHECK(extent.height == 3);
  CHECK(extent.depth == 0);

  const auto rule_of = [](cudaError_t expected, auto call) {
    static_cast<void>(take_report());
    CHECK(call() == expected);
    static_cast<void>(cudaGetLastError());
    const report r = take_report();
    REQUIRE(r.findings.size() == 1);
    return r.findings[0].what;
  };
  CHECK(rule_of(cudaErrorInvalidValue, [&] {
          return cudaMemcpy2DToArray(array, 4, 0, in.data(), 16, 16, 3, cudaMemcpyHostToDevice);
        }) == rule::out_of_bounds);
  CHECK(rule_of(cudaErrorInvalidValue, [&] { return cudaFree(array); }) == rule::invalid_free);
  CHECK(cudaFreeArray(array) == cudaSuccess);
  CHECK(rule_of(cudaErrorInvalidValue, [&] { return cudaFreeArray(array); }) == rule::invalid_free);
  CHECK(rule_of(cudaErrorInvalidResourceHandle, [&] {
          return cudaMemcpy2DFromArray(out.data(), 8, array, 0, 0, 8, 3, cudaMemcpyDeviceToHost);
        }) == rule::use_after_free);
  CHECK(cudaFreeArray(other) == cudaSuccess);
}

TEST_CASE("an object, or its memory, that is gone stops the kernel at the fetch") {
  for (const bool destroyed : {true, false}) {
    CAPTURE(destroyed);
    static_cast<void>(take_report());
    float *in = nullptr, *out = nullptr;
    cudaMalloc(&in, 256);
    cudaMalloc(&out, 256);
    cudaMemset(in, 0, 256);
    const cudaTextureObject_t texture = linear_texture(in, 64);
    if (destroyed)
      cudaDestroyTextureObject(texture);
    else
      cudaFree(in);
    copy_row<<<1, 64>>>(texture, out);
    CHECK(cudaDeviceSynchronize() == cudaErrorIllegalAddress);
    static_cast<void>(cudaGetLastError());
    const report r = take_report();
    REQUIRE(!r.findings.empty());
    CHECK(r.findings[0].what == rule::use_after_free);
    CHECK(r.findings[0].first.where.line == line("fetch of a row"));
    cudaDeviceReset();
  }
  copy_row<<<1, 64>>>(0, nullptr);
  CHECK(cudaDeviceSynchronize() == cudaErrorIllegalAddress);
  CHECK(take_report().findings[0].what == rule::invalid_address);
  cudaDeviceReset();
}
