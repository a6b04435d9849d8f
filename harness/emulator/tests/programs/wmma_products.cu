// Every shape, type and layout of nvcuda::wmma's fragments, each product beside a loop on the host.
#include <mma.h>

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <random>
#include <vector>

using namespace nvcuda;

template <class T>
struct stored {
  using type = T;
};
template <>
struct stored<wmma::precision::tf32> {
  using type = float;
};

// One warp: d = scale * (a * b + c), where the scale changes fragments element by element.
template <int M, int N, int K, class T, class TC, class TD, class ALayout, class BLayout>
__global__ void multiply(const typename stored<T>::type *a, const typename stored<T>::type *b, const TC *c, TD *d, int lda, int ldb,
                         int ldc, wmma::layout_t layout, TD scale) {
  wmma::fragment<wmma::matrix_a, M, N, K, T, ALayout> left;
  wmma::fragment<wmma::matrix_b, M, N, K, T, BLayout> right;
  wmma::fragment<wmma::accumulator, M, N, K, TC> before;
  wmma::fragment<wmma::accumulator, M, N, K, TD> after;
  wmma::load_matrix_sync(left, a, lda);
  wmma::load_matrix_sync(right, b, ldb);
  wmma::load_matrix_sync(before, c, ldc, layout);
  wmma::mma_sync(after, left, right, before);
  for (int i = 0; i < after.num_elements; ++i) after.x[i] = scale * after.x[i];
  wmma::store_matrix_sync(d, after, ldc, layout);
}

std::mt19937 engine(16);
template <class T>
T draw() {
  return (T)(float)std::uniform_real_distribution<float>(-1, 1)(engine);
}
template <>
signed char draw<signed char>() {
  return (signed char)(engine() % 256);
}
template <>
unsigned char draw<unsigned char>() {
  return (unsigned char)(engine() % 256);
}
template <>
int draw<int>() {
  return (int)(engine() % 2000) - 1000;
}
float tf32(float x) {
  uint32_t bits;
  memcpy(&bits, &x, 4);
  bits &= 0xffffe000u;
  memcpy(&x, &bits, 4);
  return x;
}

int checked = 0, wrong = 0;

template <int M, int N, int K, class T, class TC, class TD, class ALayout, class BLayout>
void check(const char *name, bool c_in_rows) {
  using value = typename stored<T>::type;
  constexpr bool a_in_rows = std::is_same<ALayout, wmma::row_major>::value, b_in_rows = std::is_same<BLayout, wmma::row_major>::value;
  constexpr bool is_tf32 = std::is_same<T, wmma::precision::tf32>::value;
  // Rows and columns longer than the fragment's, so that strides matter; all of them multiples of 16 bytes.
  const int lda = (a_in_rows ? K : M) + 16, ldb = (b_in_rows ? N : K) + 16, ldc = (c_in_rows ? N : M) + 16;
  std::vector<value> a(lda * (a_in_rows ? M : K)), b(ldb * (b_in_rows ? K : N));
  std::vector<TC> c(ldc * (c_in_rows ? M : N));
  std::vector<TD> d(c.size());
  for (value &x : a) x = draw<value>();
  for (value &x : b) x = draw<value>();
  for (TC &x : c) x = draw<TC>();
  value *da, *db;
  TC *dc;
  TD *dd;
  cudaMalloc(&da, a.size() * sizeof(value));
  cudaMalloc(&db, b.size() * sizeof(value));
  cudaMalloc(&dc, c.size() * sizeof(TC));
  cudaMalloc(&dd, d.size() * sizeof(TD));
  cudaMemcpy(da, a.data(), a.size() * sizeof(value), cudaMemcpyHostToDevice);
  cudaMemcpy(db, b.data(), b.size() * sizeof(value), cudaMemcpyHostToDevice);
  cudaMemcpy(dc, c.data(), c.size() * sizeof(TC), cudaMemcpyHostToDevice);
  cudaMemset(dd, 0, d.size() * sizeof(TD));
  multiply<M, N, K, T, TC, TD, ALayout, BLayout>
      <<<1, 32>>>(da, db, dc, dd, lda, ldb, ldc, c_in_rows ? wmma::mem_row_major : wmma::mem_col_major, (TD)2);
  const cudaError_t status = cudaMemcpy(d.data(), dd, d.size() * sizeof(TD), cudaMemcpyDeviceToHost);
  if (status != cudaSuccess) printf("%s: %s\n", name, cudaGetErrorString(status));
  int bad = 0;
  for (int i = 0; i < M; ++i)
    for (int j = 0; j < N; ++j) {
      const int at = c_in_rows ? i * ldc + j : j * ldc + i;
      double sum = (double)(float)c[at];
      for (int k = 0; k < K; ++k) {
        double x = (double)a[a_in_rows ? i * lda + k : k * lda + i], y = (double)b[b_in_rows ? k * ldb + j : j * ldb + k];
        if (is_tf32) x = tf32((float)x), y = tf32((float)y);
        sum += x * y;
      }
      const double error = std::fabs((double)d[at] - 2 * sum);
      const double most = std::is_same<TD, int>::value ? 0 : std::is_same<TD, __half>::value ? 0.02 : 2e-5;
      bad += !(error <= most);
    }
  checked += M * N;
  wrong += bad;
  if (bad != 0) printf("%s: %d of %d wrong\n", name, bad, M * N);
  cudaFree(da);
  cudaFree(db);
  cudaFree(dc);
  cudaFree(dd);
}

template <int M, int N, int K, class T, class TC, class TD>
void check_layouts(const char *name) {
  using row = wmma::row_major;
  using column = wmma::col_major;
  check<M, N, K, T, TC, TD, row, row>(name, true);
  check<M, N, K, T, TC, TD, row, column>(name, false);
  check<M, N, K, T, TC, TD, column, row>(name, false);
  check<M, N, K, T, TC, TD, column, column>(name, true);
}

int main() {
  using row = wmma::row_major;
  using column = wmma::col_major;
  check_layouts<16, 16, 16, __half, float, float>("half to float, 16x16x16");
  check<32, 8, 16, __half, float, float, column, row>("half to float, 32x8x16", false);
  check<8, 32, 16, __half, __half, float, row, column>("half and half to float, 8x32x16", true);
  check<16, 16, 16, __half, __half, __half, row, row>("half to half, 16x16x16", true);
  check<16, 16, 16, __nv_bfloat16, float, float, row, column>("bfloat16, 16x16x16", true);
  check<32, 8, 16, __nv_bfloat16, float, float, column, column>("bfloat16, 32x8x16", false);
  check<16, 16, 16, signed char, int, int, row, row>("signed bytes, 16x16x16", false);
  check<8, 32, 16, unsigned char, int, int, column, row>("unsigned bytes, 8x32x16", true);
  check<16, 16, 8, wmma::precision::tf32, float, float, row, row>("tf32, 16x16x8", true);
  check<16, 16, 8, wmma::precision::tf32, float, float, column, column>("tf32, 16x16x8", false);
  check<8, 8, 4, double, double, double, row, column>("double, 8x8x4", true);
  printf("%d elements, %d wrong\n", checked, wrong);
  return wrong != 0;
}
