// wmma_layers.cu - A two-layer perceptron on tensor cores with nvcuda::wmma.  Inputs
// and weights are small integers stored as half, accumulators are float, so each sum
// is exact.  Layer one uses a row-major weight matrix, starts from a bias loaded into
// the accumulator and applies ReLU to the fragment; layer two reads its weights column
// by column, keeps one 16x16 tile per warp and halves the result in the fragment.
// Further kernels transpose with fragment loads and compare with scalar arithmetic.
#include <cstdio>
#include <cstdlib>
#include <cuda_fp16.h>
#include <cuda_runtime.h>
#include <mma.h>
#include <vector>
using namespace nvcuda;
#define CHECK(call)                                                                     \
  if (cudaError_t status = (call)) {                                                    \
    std::fprintf(stderr, "%s failed with \"%s\"\n", #call, cudaGetErrorString(status)); \
    std::exit(EXIT_FAILURE);                                                            \
  }

constexpr int BATCH = 64, INPUT = 96, HIDDEN = 64, OUTPUT = 32, T = 16, WARPS = 4;

template <typename Layout>
using MatrixA = wmma::fragment<wmma::matrix_a, T, T, T, half, Layout>;
template <typename Layout>
using MatrixB = wmma::fragment<wmma::matrix_b, T, T, T, half, Layout>;
using Accumulator = wmma::fragment<wmma::accumulator, T, T, T, float>;

__host__ __device__ constexpr int input_value(int r, int c) { return (r * 7 + c * 5 + r * c) % 5 - 2; }
__host__ __device__ constexpr int weight1(int r, int c) { return (r * 3 + c * 11 + r * c / 4) % 3 - 1; }
__host__ __device__ constexpr int weight2(int r, int c) { return (r * 13 + c * 2 + r * c / 8) % 5 - 2; }
__host__ __device__ constexpr int bias(int c) { return c % 7 - 3; }

__global__ void fill(half* x, half* w1, half* w2, float* bias_rows) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < BATCH * INPUT) x[i] = __int2half_rn(input_value(i / INPUT, i % INPUT));
  if (i < INPUT * HIDDEN) w1[i] = __int2half_rn(weight1(i / HIDDEN, i % HIDDEN));
  if (i < HIDDEN * OUTPUT) w2[i] = __int2half_rn(weight2(i % HIDDEN, i / HIDDEN));  // column major
  if (i < T * HIDDEN) bias_rows[i] = static_cast<float>(bias(i % HIDDEN));          // same bias in 16 rows
}

// One warp per 16x16 tile of the hidden layer; the tile is converted to half in shared memory.
__global__ __launch_bounds__(32 * WARPS) void layer_one(const half* x, const half* w, const float* bias_rows,
                                                        half* hidden) {
  __shared__ __align__(32) float stage[WARPS][T * T];
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  const int tile = blockIdx.x * WARPS + warp, row = tile / (HIDDEN / T) * T, col = tile % (HIDDEN / T) * T;
  Accumulator acc;
  wmma::load_matrix_sync(acc, bias_rows + col, HIDDEN, wmma::mem_row_major);
  for (int k = 0; k < INPUT; k += T) {
    MatrixA<wmma::row_major> a;
    MatrixB<wmma::row_major> b;
    wmma::load_matrix_sync(a, x + row * INPUT + k, INPUT);
    wmma::load_matrix_sync(b, w + k * HIDDEN + col, HIDDEN);
    wmma::mma_sync(acc, a, b, acc);
  }
  for (int i = 0; i < acc.num_elements; ++i) acc.x[i] = acc.x[i] > 0.0f ? acc.x[i] : 0.0f;
  wmma::store_matrix_sync(stage[warp], acc, T, wmma::mem_row_major);
  __syncwarp();
  for (int i = lane; i < T * T; i += 32)
    hidden[(row + i / T) * HIDDEN + col + i % T] = __float2half_rn(stage[warp][i]);
}

// Weights in column-major order, result stored in the order given by the argument.
__global__ void layer_two(const half* hidden, const half* w, float* out, bool column_major) {
  const int tile = blockIdx.x * WARPS + threadIdx.x / 32, row = tile / (OUTPUT / T) * T, col = tile % (OUTPUT / T) * T;
  Accumulator acc;
  wmma::fill_fragment(acc, 0.0f);
  for (int k = 0; k < HIDDEN; k += T) {
    MatrixA<wmma::row_major> a;
    MatrixB<wmma::col_major> b;
    wmma::load_matrix_sync(a, hidden + row * HIDDEN + k, HIDDEN);
    wmma::load_matrix_sync(b, w + col * HIDDEN + k, HIDDEN);
    wmma::mma_sync(acc, a, b, acc);
  }
#pragma unroll
  for (int i = 0; i < acc.num_elements; ++i) acc.x[i] *= 0.5f;
  if (column_major)
    wmma::store_matrix_sync(out + col * BATCH + row, acc, BATCH, wmma::mem_col_major);
  else
    wmma::store_matrix_sync(out + row * OUTPUT + col, acc, OUTPUT, wmma::mem_row_major);
}

// Gram matrix of the first 16 inputs: X * X^T, the transpose comes from a column-major load.
__global__ void gram(const half* x, half* out) {
  wmma::fragment<wmma::accumulator, T, T, T, half> acc;
  wmma::fill_fragment(acc, __float2half(0.0f));
  for (int k = 0; k < INPUT; k += T) {
    MatrixA<wmma::row_major> a;
    MatrixB<wmma::col_major> b;
    wmma::load_matrix_sync(a, x + k, INPUT);
    wmma::load_matrix_sync(b, x + k, INPUT);
    wmma::mma_sync(acc, a, b, acc);
  }
  wmma::store_matrix_sync(out, acc, T, wmma::mem_row_major);
}
// The second layer again without tensor cores; counts differing elements.
__global__ void scalar_check(const half* hidden, const half* w, const float* out, unsigned* different) {
  const int c = threadIdx.x, r = blockIdx.x;
  float sum = 0.0f;
  for (int k = 0; k < HIDDEN; ++k) sum += __half2float(hidden[r * HIDDEN + k]) * __half2float(w[c * HIDDEN + k]);
  if (out[r * OUTPUT + c] != 0.5f * sum) atomicAdd(different, 1u);
}

template <typename V>
std::vector<V> fetch(const V* device, size_t n) {
  std::vector<V> v(n);
  CHECK(cudaMemcpy(v.data(), device, n * sizeof(V), cudaMemcpyDeviceToHost));
  return v;
}

int main() {
  half *x, *w1, *w2, *hidden, *g;
  float *bias_rows, *out, *out_t;
  unsigned* different;
  CHECK(cudaMalloc(&x, BATCH * INPUT * sizeof(half)));
  CHECK(cudaMalloc(&w1, INPUT * HIDDEN * sizeof(half)));
  CHECK(cudaMalloc(&w2, HIDDEN * OUTPUT * sizeof(half)));
  CHECK(cudaMalloc(&hidden, BATCH * HIDDEN * sizeof(half)));
  CHECK(cudaMalloc(&g, T * T * sizeof(half)));
  CHECK(cudaMalloc(&bias_rows, T * HIDDEN * sizeof(float)));
  for (float** o : {&out, &out_t}) CHECK(cudaMalloc(o, BATCH * OUTPUT * sizeof(float)));
  CHECK(cudaMalloc(&different, sizeof(unsigned)));
  CHECK(cudaMemset(different, 0, sizeof(unsigned)));
  fill<<<(BATCH * INPUT + 255) / 256, 256>>>(x, w1, w2, bias_rows);
  layer_one<<<BATCH / T * (HIDDEN / T) / WARPS, 32 * WARPS>>>(x, w1, bias_rows, hidden);
  layer_two<<<BATCH / T * (OUTPUT / T) / WARPS, 32 * WARPS>>>(hidden, w2, out, false);
  layer_two<<<BATCH / T * (OUTPUT / T) / WARPS, 32 * WARPS>>>(hidden, w2, out_t, true);
  gram<<<1, 32>>>(x, g);
  scalar_check<<<BATCH, OUTPUT>>>(hidden, w2, out, different);
  CHECK(cudaGetLastError());
  CHECK(cudaDeviceSynchronize());
  const auto h = fetch(hidden, BATCH * HIDDEN), hg = fetch(g, T * T);
  const auto o = fetch(out, BATCH * OUTPUT), ot = fetch(out_t, BATCH * OUTPUT);
  const unsigned scalar_bad = fetch(different, 1)[0];

  int bad[4] = {0, 0, 0, 0}, zeros = 0;
  std::vector<int> ref(BATCH * HIDDEN);
  for (int i = 0; i < BATCH * HIDDEN; ++i) {
    int sum = bias(i % HIDDEN);
    for (int k = 0; k < INPUT; ++k) sum += input_value(i / HIDDEN, k) * weight1(k, i % HIDDEN);
    ref[i] = sum > 0 ? sum : 0;
    zeros += ref[i] == 0;
    bad[0] += __half2float(h[i]) != ref[i];
  }
  long long checksum = 0;
  for (int i = 0; i < BATCH * OUTPUT; ++i) {
    int sum = 0;
    for (int k = 0; k < HIDDEN; ++k) sum += ref[i / OUTPUT * HIDDEN + k] * weight2(k, i % OUTPUT);
    bad[1] += o[i] != 0.5f * sum;
    bad[2] += ot[i % OUTPUT * BATCH + i / OUTPUT] != 0.5f * sum;
    checksum += static_cast<long long>(2.0f * o[i]) * (i % 17 + 1);
  }
  for (int i = 0; i < T * T; ++i) {
    int sum = 0;
    for (int k = 0; k < INPUT; ++k) sum += input_value(i / T, k) * input_value(i % T, k);
    bad[3] += __half2float(hg[i]) != sum;
  }
  for (int r = 0; r < BATCH; r += 8)
    std::printf("row %2d: hidden %3d %3d %3d output*2 %5d %5d\n", r, (int)__half2float(h[r * HIDDEN]),
                (int)__half2float(h[r * HIDDEN + 31]), (int)__half2float(h[r * HIDDEN + 63]),
                (int)(2.0f * o[r * OUTPUT]), (int)(2.0f * o[r * OUTPUT + 31]));
  std::printf("gram diagonal: %.0f %.0f\n", __half2float(hg[0]), __half2float(hg[255]));
  std::printf("hidden zeros %d of %d, checksum %lld\n", zeros, BATCH * HIDDEN, checksum);
  std::printf("mismatches: layer1 %d layer2 %d transposed %d gram %d scalar %u\n", bad[0], bad[1], bad[2], bad[3], scalar_bad);
  std::printf("%s\n", bad[0] + bad[1] + bad[2] + bad[3] + (int)scalar_bad == 0 ? "PASS" : "FAIL");
  for (void* p : {(void*)x, (void*)w1, (void*)w2, (void*)hidden, (void*)g, (void*)bias_rows, (void*)out, (void*)out_t,
                  (void*)different})
    CHECK(cudaFree(p));
  return 0;
}
