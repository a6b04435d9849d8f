// texture_layers.cu - A layered 2D array read through tex2DLayered.  The program
// filters linearly with unnormalised coordinates whose fractions are multiples of
// 1/256 (along rows) or 1/16 (bilinear), so each weight is exact; then it leaves the
// image with normalised coordinates in the modes clamp, wrap, mirror and border, with
// point and with linear filtering.  A byte texture in normalised-float mode ends the
// tour.  Results are printed as integers, in units of 1/256, after a host check.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#include <vector>

#define VERIFY(call)                                                                   \
  do {                                                                                 \
    const cudaError_t result_ = (call);                                                \
    if (result_ != cudaSuccess) {                                                      \
      std::printf("error in line %d: %s\n", __LINE__, cudaGetErrorString(result_));    \
      std::exit(1);                                                                    \
    }                                                                                  \
  } while (0)

namespace {
constexpr int W = 16, H = 8, L = 4, SAMPLES = 256;

struct Settings {
  cudaTextureAddressMode address;
  cudaTextureFilterMode filter;
  bool normalised;
};

template <typename T>
class LayeredTexture {
 public:
  explicit LayeredTexture(const std::vector<T>& texels) {
    const cudaChannelFormatDesc format = cudaCreateChannelDesc<T>();
    const cudaExtent extent = make_cudaExtent(W, H, L);
    VERIFY(cudaMalloc3DArray(&array_, &format, extent, cudaArrayLayered));
    cudaMemcpy3DParms p{};
    p.srcPtr = make_cudaPitchedPtr(const_cast<T*>(texels.data()), W * sizeof(T), W, H);
    p.dstArray = array_;
    p.extent = extent;
    p.kind = cudaMemcpyHostToDevice;
    VERIFY(cudaMemcpy3D(&p));
  }
  ~LayeredTexture() {
    for (cudaTextureObject_t t : views_) VERIFY(cudaDestroyTextureObject(t));
    VERIFY(cudaFreeArray(array_));
  }
  LayeredTexture(const LayeredTexture&) = delete;
  cudaTextureObject_t view(const Settings& s, cudaTextureReadMode mode = cudaReadModeElementType) {
    cudaResourceDesc resource{};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array_;
    cudaTextureDesc d{};
    d.addressMode[0] = d.addressMode[1] = s.address;
    d.filterMode = s.filter;
    d.readMode = mode;
    d.normalizedCoords = s.normalised;
    views_.push_back(0);
    VERIFY(cudaCreateTextureObject(&views_.back(), &resource, &d, nullptr));
    return views_.back();
  }

 private:
  cudaArray_t array_ = nullptr;
  std::vector<cudaTextureObject_t> views_;
};

// Sample positions in texel units; exact in float.
__host__ __device__ inline float row_x(int i) { return 0.5f + (i % 15) + (i * 37 % 256) / 256.0f; }
__host__ __device__ inline float grid_x(int i) { return 0.5f + (i * 5 % 15) + (i * 7 % 16) / 16.0f; }
__host__ __device__ inline float grid_y(int i) { return 0.5f + (i / 16 % 7) + (i * 3 % 16) / 16.0f; }
__host__ __device__ inline float wide_x(int i) { return -20.0f + (i % 64) * 0.875f + 0.0625f; }  // -20 .. 35
__host__ __device__ inline float wide_y(int i) { return -11.0f + (i / 64) * 8.0f + 0.5f; }       // whole texels

__global__ void along_rows(cudaTextureObject_t tex, float* out) {
  const int i = threadIdx.x, layer = blockIdx.x;
  out[layer * SAMPLES + i] = tex2DLayered<float>(tex, row_x(i), (i % H) + 0.5f, layer);
}

__global__ void bilinear(cudaTextureObject_t tex, float* out) {
  const int i = threadIdx.x, layer = blockIdx.x;
  out[layer * SAMPLES + i] = tex2DLayered<float>(tex, grid_x(i), grid_y(i), layer);
}

__global__ void wide(cudaTextureObject_t tex, float* out) {
  const int i = threadIdx.x, layer = blockIdx.x;
  out[layer * SAMPLES + i] = tex2DLayered<float>(tex, wide_x(i) / W, wide_y(i) / H, layer);
}

float texel(const std::vector<float>& t, cudaTextureAddressMode mode, int x, int y, int layer) {
  auto place = [mode](int i, int n) {
    if (mode == cudaAddressModeClamp) return i < 0 ? 0 : i >= n ? n - 1 : i;
    if (mode == cudaAddressModeWrap) return (i % n + n) % n;
    if (mode == cudaAddressModeBorder) return i < 0 || i >= n ? -1 : i;
    const int m = (i % (2 * n) + 2 * n) % (2 * n);
    return m < n ? m : 2 * n - 1 - m;
  };
  x = place(x, W);
  y = place(y, H);
  return x < 0 || y < 0 ? 0.0f : t[(layer * H + y) * W + x];
}

float host_sample(const std::vector<float>& t, const Settings& s, float x, float y, int layer) {
  if (s.filter == cudaFilterModePoint)
    return texel(t, s.address, (int)std::floor(x), (int)std::floor(y), layer);
  const float fx = std::floor(x - 0.5f), fy = std::floor(y - 0.5f), a = x - 0.5f - fx, b = y - 0.5f - fy;
  const int i = (int)fx, j = (int)fy;
  return (1 - a) * (1 - b) * texel(t, s.address, i, j, layer) + a * (1 - b) * texel(t, s.address, i + 1, j, layer) +
         (1 - a) * b * texel(t, s.address, i, j + 1, layer) + a * b * texel(t, s.address, i + 1, j + 1, layer);
}

using Kernel = void (*)(cudaTextureObject_t, float*);
int failures = 0;

template <typename Reference>
void run(const char* name, Kernel kernel, cudaTextureObject_t tex, float unit, float* device, Reference reference) {
  kernel<<<L, SAMPLES>>>(tex, device);
  VERIFY(cudaGetLastError());
  std::vector<float> out(L * SAMPLES);
  VERIFY(cudaMemcpy(out.data(), device, out.size() * sizeof(float), cudaMemcpyDeviceToHost));
  long long sum = 0;
  int bad = 0;
  for (int k = 0; k < L * SAMPLES; ++k) {
    bad += std::fabs(out[k] - reference(k % SAMPLES, k / SAMPLES)) > 1e-4f;
    sum += std::lround(out[k] * unit);
  }
  std::printf("%-14s %6ld %6ld %6ld %6ld  sum %9lld  mismatches %d\n", name, std::lround(out[1] * unit),
              std::lround(out[83] * unit), std::lround(out[SAMPLES + 40] * unit),
              std::lround(out[3 * SAMPLES + 255] * unit), sum, bad);
  failures += bad;
}
}  // namespace

int main() {
  std::vector<float> texels(W * H * L);
  std::vector<unsigned char> bytes(W * H * L);
  for (int i = 0; i < W * H * L; ++i) {
    texels[i] = static_cast<float>((i * 13 + i / W * 7) % 61 + 64 * (i / (W * H)));
    bytes[i] = static_cast<unsigned char>(i * 11 + i / 16);
  }
  float* device = nullptr;
  VERIFY(cudaMalloc(&device, L * SAMPLES * sizeof(float)));
  {
    LayeredTexture<float> image(texels);
    LayeredTexture<unsigned char> gray(bytes);
    const Settings inside{cudaAddressModeClamp, cudaFilterModeLinear, false};
    run("rows 1/256", along_rows, image.view(inside), 256.0f, device,
        [&](int i, int l) { return host_sample(texels, inside, row_x(i), (i % H) + 0.5f, l); });
    run("bilinear 1/16", bilinear, image.view(inside), 256.0f, device,
        [&](int i, int l) { return host_sample(texels, inside, grid_x(i), grid_y(i), l); });

    const cudaTextureAddressMode modes[] = {cudaAddressModeClamp, cudaAddressModeWrap, cudaAddressModeMirror,
                                            cudaAddressModeBorder};
    const char* names[2][4] = {{"point clamp", "point wrap", "point mirror", "point border"},
                               {"linear clamp", "linear wrap", "linear mirror", "linear border"}};
    for (int linear = 0; linear < 2; ++linear)
      for (int m = 0; m < 4; ++m) {
        const Settings s{modes[m], linear ? cudaFilterModeLinear : cudaFilterModePoint, true};
        run(names[linear][m], wide, image.view(s), 256.0f, device,
            [&](int i, int l) { return host_sample(texels, s, wide_x(i), wide_y(i), l); });
      }
    const Settings nearest{cudaAddressModeClamp, cudaFilterModePoint, false};
    run("bytes", along_rows, gray.view(nearest, cudaReadModeNormalizedFloat), 255.0f, device,
        [&](int i, int l) { return bytes[(l * H + i % H) * W + (int)row_x(i)] / 255.0f; });
  }
  VERIFY(cudaFree(device));
  std::printf("%s\n", failures == 0 ? "PASS" : "FAIL");
  return 0;
}
