// half_blur.cu - Arithmetic in half precision.  A small image is converted to __half,
// blurred horizontally with scalar intrinsics and vertically with __half2 intrinsics
// (two columns per thread); the weights 1 2 1 / 4 keep every value exact.  Further
// kernels exercise comparisons, minima and maxima, the rounding modes of the float to
// half conversion including subnormals and overflow, and fused multiply-add.  The host
// has its own rounding routine and prints bit patterns.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cuda_fp16.h>
#include <vector>

#define CU(call)                                                                      \
  do {                                                                                \
    cudaError_t e_ = (call);                                                          \
    if (e_ != cudaSuccess) {                                                          \
      fprintf(stderr, "CUDA: %s, line %d\n", cudaGetErrorString(e_), __LINE__);       \
      exit(EXIT_FAILURE);                                                             \
    }                                                                                 \
  } while (0)

constexpr int W = 64, H = 32, CASES = 16;
enum Mode { NEAREST, ZERO, UP, DOWN };

__global__ void to_half(const float* __restrict__ in, __half* __restrict__ out, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) out[i] = __float2half(in[i]);
}

__global__ void blur_rows(const __half* __restrict__ in, __half* __restrict__ out) {
  const int x = threadIdx.x, y = blockIdx.x;
  const __half* row = in + y * W;
  const __half left = row[x > 0 ? x - 1 : 0], right = row[x < W - 1 ? x + 1 : W - 1];
  const __half sum = __hfma(row[x], __float2half(2.0f), __hadd(left, right));
  out[y * W + x] = __hmul(sum, __float2half(0.25f));
}

__global__ void blur_columns(const __half2* __restrict__ in, __half2* __restrict__ out) {
  const int x = threadIdx.x, y = blockIdx.x * blockDim.y + threadIdx.y;
  const __half2 two = __floats2half2_rn(2.0f, 2.0f), quarter = __float2half2_rn(0.25f);
  const __half2 above = in[(y > 0 ? y - 1 : 0) * (W / 2) + x], below = in[(y < H - 1 ? y + 1 : y) * (W / 2) + x];
  const __half2 sum = __hfma2(in[y * (W / 2) + x], two, __hadd2(above, below));
  out[y * (W / 2) + x] = __hmul2(sum, quarter);
}

// Counters: 0 a > b, 1 equal, 2 both lanes a >= b, 3 lanes with a != b; sums of minima, maxima, differences.
__global__ void compare(const __half2* a, const __half2* b, int n, int* counter) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const __half2 p = a[i], q = b[i], greater = __hgt2(p, q);
  atomicAdd(&counter[0], __half2int_rn(__hadd(__low2half(greater), __high2half(greater))));
  atomicAdd(&counter[1], int(__heq(__low2half(p), __low2half(q))) + int(__heq(__high2half(p), __high2half(q))));
  if (__hbge2(p, q)) atomicAdd(&counter[2], 1);
  const float2 ne = __half22float2(__hne2(p, q));
  atomicAdd(&counter[3], int(ne.x + ne.y));
  const __half2 low = __hmin2(p, q), high = __hmax2(p, q), gap = __habs2(__hsub2(p, q));
  atomicAdd(&counter[4], int(16.0f * (__low2float(low) + __high2float(low))));
  atomicAdd(&counter[5], int(16.0f * (__low2float(high) + __high2float(high))));
  atomicAdd(&counter[6], int(16.0f * (__low2float(gap) + __high2float(gap))));
}

__global__ void convert(const float* in, unsigned short* bits) {
  const float f = in[threadIdx.x];
  unsigned short* o = bits + 4 * threadIdx.x;
  o[NEAREST] = __half_as_ushort(__float2half_rn(f));
  o[ZERO] = __half_as_ushort(__float2half_rz(f));
  o[UP] = __half_as_ushort(__float2half_ru(f));
  o[DOWN] = __half_as_ushort(__float2half_rd(f));
}

// d = a * b + c with one rounding, and with two roundings.
__global__ void fused(const __half* v, unsigned short* one, unsigned short* two) {
  const int i = threadIdx.x;
  const __half a = v[i], b = v[(i + 7) % W], c = __hneg(v[(i + 20) % W]);
  one[i] = __half_as_ushort(__hfma(a, b, c));
  two[i] = __half_as_ushort(__hadd_rn(__hmul_rn(a, b), c));
}

static uint16_t round_half(double x, Mode mode) {
  const uint16_t sign = std::signbit(x) ? 0x8000 : 0;
  const double m = std::fabs(x);
  if (std::isinf(m)) return sign | 0x7c00;
  if (m == 0) return sign;
  int e;
  std::frexp(m, &e);
  e = std::max(e - 1, -14);
  const double q = m / std::ldexp(1.0, e - 10);
  const bool away = (mode == UP && !sign) || (mode == DOWN && sign);
  double r = mode == NEAREST ? std::nearbyint(q) : away ? std::ceil(q) : std::floor(q);
  if (r >= 2048) { r /= 2; ++e; }
  if (e > 15) return sign | (mode == NEAREST || away ? 0x7c00 : 0x7bff);
  return sign | static_cast<uint16_t>(r < 1024 ? r : (e + 15) * 1024 + (r - 1024));
}

template <typename T> T* device(size_t n) {
  void* p;
  CU(cudaMalloc(&p, n * sizeof(T)));
  CU(cudaMemset(p, 0, n * sizeof(T)));
  return static_cast<T*>(p);
}

int main() {
  std::vector<float> image(W * H), blurred(W * H), rows(W * H);
  for (int i = 0; i < W * H; ++i) image[i] = static_cast<float>((i * 31 + i / W * 17) % 29);
  float *d_image = device<float>(W * H), *d_cases = device<float>(CASES);
  __half *a = device<__half>(W * H), *b = device<__half>(W * H), *c = device<__half>(W * H);
  int* d_counter = device<int>(7);
  unsigned short* d_bits = device<unsigned short>(4 * CASES + 2 * W);
  const float cases[CASES] = {1.0f, -1.0f, 0.1f, -0.3f, 1.0f / 3, 2049.0f, 2051.0f, -4099.0f, 65519.0f, 65520.0f,
                              -70000.0f, 6.1e-5f, 3.1e-6f, -5.9e-8f, 2.9802322e-8f, INFINITY};
  CU(cudaMemcpy(d_image, image.data(), W * H * sizeof(float), cudaMemcpyHostToDevice));
  CU(cudaMemcpy(d_cases, cases, sizeof cases, cudaMemcpyHostToDevice));
  to_half<<<4, 128>>>(d_image, a, W * H);
  blur_rows<<<H, W>>>(a, b);
  blur_columns<<<H / 4, dim3(W / 2, 4)>>>(reinterpret_cast<__half2*>(b), reinterpret_cast<__half2*>(c));
  compare<<<W * H / 256, 128>>>(reinterpret_cast<__half2*>(a), reinterpret_cast<__half2*>(c), W * H / 2, d_counter);
  convert<<<1, CASES>>>(d_cases, d_bits);
  fused<<<1, W>>>(c + 5 * W, d_bits + 4 * CASES, d_bits + 4 * CASES + W);
  CU(cudaGetLastError());
  std::vector<__half> out(W * H);
  int counter[7], want[7] = {0};
  unsigned short bits[4 * CASES + 2 * W];
  CU(cudaMemcpy(out.data(), c, W * H * sizeof(__half), cudaMemcpyDeviceToHost));
  CU(cudaMemcpy(counter, d_counter, sizeof counter, cudaMemcpyDeviceToHost));
  CU(cudaMemcpy(bits, d_bits, sizeof bits, cudaMemcpyDeviceToHost));

  auto at = [](const std::vector<float>& v, int x, int y) {
    return v[std::min(std::max(y, 0), H - 1) * W + std::min(std::max(x, 0), W - 1)];
  };
  int bad[4] = {0, 0, 0, 0};
  for (int i = 0; i < W * H; ++i)
    rows[i] = (at(image, i % W - 1, i / W) + 2 * image[i] + at(image, i % W + 1, i / W)) / 4;
  for (int i = 0; i < W * H; ++i) {
    blurred[i] = (at(rows, i % W, i / W - 1) + 2 * rows[i] + at(rows, i % W, i / W + 1)) / 4;
    bad[0] += __half2float(out[i]) != blurred[i];
    const float p = image[i], q = blurred[i];
    want[0] += p > q, want[1] += p == q, want[3] += p != q;
    if (i % 2) want[2] += p >= q && image[i - 1] >= blurred[i - 1];
    want[4] += int(16 * std::min(p, q)), want[5] += int(16 * std::max(p, q)), want[6] += int(16 * std::fabs(p - q));
  }
  for (int y = 0; y < H; y += 8)
    printf("row %2d: %.4f %.4f %.4f\n", y, blurred[y * W], __half2float(out[y * W + 21]), __half2float(out[y * W + 63]));
  for (int k = 0; k < 7; ++k) bad[1] += counter[k] != want[k];
  printf("counters: %d %d %d %d %d %d %d\n", counter[0], counter[1], counter[2], counter[3], counter[4], counter[5],
         counter[6]);
  for (int k = 0; k < CASES; ++k) {
    for (int m = 0; m < 4; ++m) bad[2] += bits[4 * k + m] != round_half(cases[k], static_cast<Mode>(m));
    printf("%14.7g -> %04x %04x %04x %04x\n", cases[k], bits[4 * k], bits[4 * k + 1], bits[4 * k + 2], bits[4 * k + 3]);
  }
  const float* v = &blurred[5 * W];
  auto value = [](uint16_t h) { __half_raw r; r.x = h; return __half2float(__half(r)); };
  for (int i = 0; i < W; ++i) {
    const double product = double(v[i]) * v[(i + 7) % W], add = -double(v[(i + 20) % W]);
    bad[3] += bits[4 * CASES + i] != round_half(product + add, NEAREST);
    bad[3] += bits[4 * CASES + W + i] != round_half(value(round_half(product, NEAREST)) + add, NEAREST);
  }
  printf("mismatches: blur %d compare %d convert %d fused %d\n", bad[0], bad[1], bad[2], bad[3]);
  printf("%s\n", bad[0] + bad[1] + bad[2] + bad[3] == 0 ? "PASS" : "FAIL");
  for (void* p : {(void*)d_image, (void*)d_cases, (void*)a, (void*)b, (void*)c, (void*)d_counter, (void*)d_bits})
    CU(cudaFree(p));
  return 0;
}
