// Cubemaps: faces and places by the programming guide's table, filters at their borders as an H200 answers, errors as CUDA's.
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "claims/measurement.h"
#include "emulator.h"
#include "runtime/device_memory.h"

using namespace simtlab::emulator;

namespace {

constexpr int width = 4;
bool has(const std::string& text, const std::string& what) { return text.find(what) != std::string::npos; }

/// Faces of 4 x 4 texels; texel i, counted along rows, columns, faces, has the value i as a rule.
class cubemap {
 public:
  explicit cubemap(int layers = 1, std::vector<float> texels = {}) {
    const std::size_t count = 6 * width * width * layers;
    for (std::size_t i = texels.size(); i < count; ++i) texels.push_back(static_cast<float>(i));
    const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
    const cudaExtent extent = make_cudaExtent(width, width, 6 * layers);
    const unsigned flags = cudaArrayCubemap | cudaArraySurfaceLoadStore | (layers > 1 ? cudaArrayLayered : 0);
    REQUIRE(cudaMalloc3DArray(&array, &format, extent, flags) == cudaSuccess);
    cudaMemcpy3DParms p = {};
    p.srcPtr = make_cudaPitchedPtr(texels.data(), width * sizeof(float), width, width);
    p.dstArray = array;
    p.extent = extent;
    p.kind = cudaMemcpyHostToDevice;
    REQUIRE(cudaMemcpy3D(&p) == cudaSuccess);
  }
  ~cubemap() {
    for (const cudaTextureObject_t object : textures) cudaDestroyTextureObject(object);
    for (const cudaSurfaceObject_t object : surfaces) cudaDestroySurfaceObject(object);
    cudaFreeArray(array);
  }
  cubemap(const cubemap&) = delete;
  cubemap& operator=(const cubemap&) = delete;

  [[nodiscard]] cudaResourceDesc description() const {
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
    return resource;
  }
  cudaTextureObject_t texture(cudaTextureFilterMode filter, cudaTextureAddressMode mode, bool seamless = false) {
    const cudaResourceDesc resource = description();
    cudaTextureDesc how = {};
    how.addressMode[0] = how.addressMode[1] = how.addressMode[2] = mode;
    how.filterMode = filter;
    how.borderColor[0] = -7;
    how.seamlessCubemap = seamless ? 1 : 0;
    textures.push_back(0);
    REQUIRE(cudaCreateTextureObject(&textures.back(), &resource, &how, nullptr) == cudaSuccess);
    return textures.back();
  }
  cudaSurfaceObject_t surface() {
    const cudaResourceDesc resource = description();
    surfaces.push_back(0);
    REQUIRE(cudaCreateSurfaceObject(&surfaces.back(), &resource) == cudaSuccess);
    return surfaces.back();
  }

  cudaArray_t array = nullptr;

 private:
  std::vector<cudaTextureObject_t> textures;
  std::vector<cudaSurfaceObject_t> surfaces;
};

/// The only texel that is not 0.
std::vector<float> alone(int face, int x, int y) {
  std::vector<float> texels(6 * width * width);
  texels[(face * width + y) * width + x] = 256;
  return texels;
}

}  // namespace

__global__ void fetch(cudaTextureObject_t t, const float3* to, float* out) {
  const float3 d = to[threadIdx.x];
  out[threadIdx.x] = texCubemap<float>(t, d.x, d.y, d.z);
}

static std::vector<float> fetched(cudaTextureObject_t t, const std::vector<float3>& to) {
  device_memory<float3> directions(to);
  device_memory<float> out(static_cast<int>(to.size()));
  fetch<<<1, to.size()>>>(t, directions.get(), out.get());
  return out.host();
}

TEST_CASE("the largest component picks the face, the two others the place on it") {
  cubemap map;
  const auto t = map.texture(cudaFilterModePoint, cudaAddressModeClamp);
  // A quarter to the right and three quarters down on each face, as the table's s and t lead there: texel (1, 3).
  const float a = -0.4f, b = 0.6f;
  CHECK(fetched(t, {{1, -b, -a}, {-1, -b, a}, {a, 1, b}, {a, -1, -b}, {a, -b, 1}, {-a, -b, -1}}) ==
        std::vector<float>{13, 16 + 13, 32 + 13, 48 + 13, 64 + 13, 80 + 13});
  // A direction's length is of no account.
  CHECK(fetched(t, {{3, 0.3f, 0.3f}, {0.01f, 0.001f, 0.001f}}) == std::vector<float>{5, 5});
  CHECK(take_report().findings.empty());
}

TEST_CASE("of equal components z wins, then y; what is no number counts as 0") {
  cubemap map;
  const auto t = map.texture(cudaFilterModePoint, cudaAddressModeClamp);
  CHECK(fetched(t, {{1, 1, 1}, {1, 1, 0}, {1, 0, 1}, {-1, -1, -1}, {-1, -1, 0}, {0, 0, 0}, {NAN, 1, 0}}) ==
        std::vector<float>{64 + 3, 32 + 11, 64 + 11, 80 + 15, 48 + 8, 64 + 10, 32 + 10});
}

TEST_CASE("a face's border is filtered by the address mode, with seamlessCubemap across the edge") {
  const std::vector<float3> edge{{1, 0.25f, 1}, {1, 0.25f, 0.9999f}};  // where the faces +z and +x meet
  cubemap beside(1, alone(0, 0, 1));
  cubemap own(1, alone(4, 3, 1));
  for (const auto mode : {cudaAddressModeClamp, cudaAddressModeMirror}) {
    CHECK(fetched(own.texture(cudaFilterModeLinear, mode), edge)[0] == 256);
    CHECK(fetched(beside.texture(cudaFilterModeLinear, mode), edge)[0] == 0);
  }
  CHECK(fetched(own.texture(cudaFilterModeLinear, cudaAddressModeBorder), edge)[0] == 124.5f);
  for (const auto mode : {cudaAddressModeWrap, cudaAddressModeClamp, cudaAddressModeBorder}) {
    CHECK(fetched(own.texture(cudaFilterModeLinear, mode, true), edge)[0] == 128);
    CHECK(fetched(beside.texture(cudaFilterModeLinear, mode, true), edge) == std::vector<float>{128, 128});
  }
}

TEST_CASE("a corner has three texels: the weight of the missing fourth is theirs, in thirds") {
  const std::vector<float3> corner{{-1, -1, -1}, {-0.93529576f, -0.93529576f, -0.7529131f}};
  const auto weights = [&](int face, int x, int y) {
    cubemap map(1, alone(face, x, y));
    return fetched(map.texture(cudaFilterModeLinear, cudaAddressModeClamp, true), corner);
  };
  CHECK(weights(5, 3, 3) == std::vector<float>{86, 19});
  CHECK(weights(1, 0, 3) == std::vector<float>{85, 119});
  CHECK(weights(3, 0, 3) == std::vector<float>{85, 118});
}

__global__ void layers(cudaTextureObject_t t, float* out) {
  for (int layer = -1; layer <= 2; ++layer) out[layer + 1] = texCubemapLayered<float>(t, -1, 0.1f, 0.1f, layer);
  texCubemapLayeredLod(&out[4], t, -1, 0.1f, 0.1f, 1, 3.0f);
}

TEST_CASE("layers of cubemaps; a layer outside, below 0, too, is the last one") {
  cubemap map(2);
  device_memory<float> out(5);
  layers<<<1, 1>>>(map.texture(cudaFilterModePoint, cudaAddressModeClamp), out.get());
  CHECK(out.host() == std::vector<float>{96 + 16 + 6, 16 + 6, 96 + 16 + 6, 96 + 16 + 6, 96 + 16 + 6});
}

__global__ void write_faces(cudaSurfaceObject_t s) {
  surfCubemapwrite(100.0f * blockIdx.x + 10 * threadIdx.y + threadIdx.x, s, threadIdx.x * 4, threadIdx.y, blockIdx.x);
}
__global__ void read_faces(cudaSurfaceObject_t s, float* out) {
  const int xs[] = {1, -1, width, 1, 1, 1}, ys[] = {2, 1, 1, -1, 1, 1}, faces[] = {5, 2, 2, 2, -1, 6};
  for (int i = 0; i < 6; ++i) {
    out[i] = surfCubemapread<float>(s, xs[i] * 4, ys[i], faces[i], cudaBoundaryModeClamp);
    surfCubemapread(&out[6 + i], s, xs[i] * 4, ys[i], faces[i], cudaBoundaryModeZero);
  }
}
__global__ void beyond(cudaSurfaceObject_t s) { surfCubemapwrite(1.0f, s, 0, 0, 6); }
__global__ void beyond_layers(cudaSurfaceObject_t s) { surfCubemapLayeredwrite(1.0f, s, 0, 0, 12); }

TEST_CASE("surfaces: a face is a coordinate, outside as everywhere") {
  cubemap map;
  write_faces<<<6, dim3(width, width)>>>(map.surface());
  device_memory<float> out(12);
  read_faces<<<1, 1>>>(map.surface(), out.get());
  CHECK(out.host() == std::vector<float>{521, 210, 213, 201, 11, 511, 521, 0, 0, 0, 0, 0});
  CHECK(fetched(map.texture(cudaFilterModePoint, cudaAddressModeClamp), {{0.1f, -1, -0.1f}}) ==
        std::vector<float>{322});
  CHECK(take_report().findings.empty());
}

TEST_CASE("a face or a layer's face outside ends the kernel") {
  {
    cubemap map;
    const claims::measurement m([&] { beyond<<<1, 1>>>(map.surface()); });
    REQUIRE(m.findings(rule::out_of_bounds).size() == 1);
    CHECK(has(m.findings(rule::out_of_bounds)[0].message, "4 bytes at byte 0, row 0, face 6 lie outside"));
  }
  CHECK(cudaDeviceReset() == cudaSuccess);
  {
    cubemap map(2);
    const claims::measurement m([&] { beyond_layers<<<1, 1>>>(map.surface()); });
    REQUIRE(m.findings(rule::out_of_bounds).size() == 1);
    CHECK(has(m.findings(rule::out_of_bounds)[0].message, "layerFace 12"));
  }
  CHECK(cudaDeviceReset() == cudaSuccess);
}

TEST_CASE("another kind of fetch is told what the texture is for") {
  cubemap map(2);
  const auto t = map.texture(cudaFilterModePoint, cudaAddressModeClamp);
  device_memory<float3> to(std::vector<float3>{{1, 0, 0}});
  device_memory<float> out(1);
  const claims::measurement m([&] { fetch<<<1, 1>>>(t, to.get(), out.get()); });
  REQUIRE(m.findings(rule::texture_mismatch).size() == 1);
  CHECK(has(m.findings(rule::texture_mismatch)[0].message,
            "texCubemap reads another kind of texture than this one, which is for texCubemapLayered."));
}

TEST_CASE("a cubemap has six square faces, or six for each layer") {
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  const auto made = [&](cudaExtent extent, unsigned flags) {
    cudaArray_t array = nullptr;
    const cudaError_t e = cudaMalloc3DArray(&array, &format, extent, flags | cudaArrayCubemap);
    cudaFreeArray(array);
    static_cast<void>(cudaGetLastError());
    return e;
  };
  CHECK(made({4, 4, 6}, 0) == cudaSuccess);
  CHECK(made({4, 4, 12}, cudaArrayLayered) == cudaSuccess);
  CHECK(made({1, 1, 2046}, cudaArrayLayered) == cudaSuccess);
  for (const cudaExtent wrong : {cudaExtent{4, 5, 6}, {4, 4, 5}, {4, 4, 12}, {4, 4, 0}, {32769, 32769, 6}})
    CHECK(made(wrong, 0) == cudaErrorInvalidValue);
  CHECK(made({4, 4, 7}, cudaArrayLayered) == cudaErrorInvalidValue);
  CHECK(made({1, 1, 2052}, cudaArrayLayered) == cudaErrorInvalidValue);
  CHECK(made({4, 4, 6}, cudaArrayTextureGather) == cudaErrorInvalidValue);
}
