// Shifts by the width and beyond, which a GPU clamps (PTX ISA, shl and shr) and x86 takes modulo the width.
#include <cstdio>

enum plain_enum { one = 1 };
constexpr int four = 4;

__host__ __device__ unsigned rotated(unsigned x, unsigned by) { return x << by | x >> (32 - by); }
__device__ constexpr int bit(int n) { return 1 << n; }
template <class T>
__device__ T halved(T value, int n) {
  T half = value;
  half >>= n;
  return half;
}

__global__ void shift(int x, unsigned u, long long wide, int n, long long* out) {
  out[0] = x << n;
  out[1] = x >> n;
  out[2] = u << n;
  out[3] = u >> n;
  out[4] = wide << 2 * n;
  out[5] = wide >> 2 * n;
  out[6] = static_cast<unsigned long long>(wide) >> (n + 33);
  out[7] = x << -1;
  unsigned char byte = 200;
  byte <<= n;
  out[8] = byte;
  out[9] = halved<short>(-7, n);
  out[10] = halved(1ULL << 40, n);
}

__global__ void stay(int x, unsigned u, int n, long long* out) {
  static_assert(bit(four) == 16, "");
  out[0] = x << (n & 31);
  out[1] = x >> (n - 1);
  out[2] = rotated(u, n - 31);
  out[3] = 1ULL << n;
  out[4] = one << four;
  out[5] = true << (n - 2);
  int y = x;
  y <<= 3;
  y >>= n - 30;
  out[6] = y;
  out[7] = halved(u, n / 2);
}

int main() {
  constexpr int values = 11;
  long long* out;
  long long results[values];
  cudaMalloc(&out, sizeof results);
  cudaMemset(out, 0, sizeof results);
  shift<<<1, 1>>>(-5, 5, -7, 32, out);
  cudaMemcpy(results, out, sizeof results, cudaMemcpyDeviceToHost);
  for (const long long r : results) printf("%lld ", r);
  printf("\n");
  stay<<<1, 1>>>(-5, 0x80000001u, 32, out);
  cudaMemcpy(results, out, sizeof results, cudaMemcpyDeviceToHost);
  for (int i = 0; i < 8; ++i) printf("%lld ", results[i]);
  printf("\n");
  cudaFree(out);
  return 0;
}
