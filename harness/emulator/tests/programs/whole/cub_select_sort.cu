// cub_select_sort.cu
// Device-wide CUB primitives on integers, each with the two-phase protocol: a first
// call with a null pointer asks for the temporary size, a second call works.  A small
// helper hides the protocol behind a lambda.  The program sorts pairs (with a
// DoubleBuffer, and on part of the bits), scans, selects with flags and predicates,
// finds unique values, encodes runs, makes a histogram and reduces by key.
#include <cub/cub.cuh>
#include <cuda_runtime.h>
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <numeric>
#include <vector>

#define CUDA_TRY(...)                                                                       \
  if (const cudaError_t status = (__VA_ARGS__); status != cudaSuccess) {                    \
    std::fprintf(stderr, "%s(%d): %s\n", __FILE__, __LINE__, cudaGetErrorString(status));   \
    std::abort();                                                                           \
  }

template <typename T>
class Buffer {
 public:
  explicit Buffer(std::size_t n) : size_(n) { CUDA_TRY(cudaMalloc(&data_, n * sizeof(T))); }
  explicit Buffer(const std::vector<T>& v) : Buffer(v.size()) {
    CUDA_TRY(cudaMemcpy(data_, v.data(), size_ * sizeof(T), cudaMemcpyHostToDevice));
  }
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;
  ~Buffer() { cudaFree(data_); }
  T* get() const { return data_; }
  std::vector<T> host(std::size_t n = ~std::size_t(0)) const { return fetch(data_, std::min(n, size_)); }
  static std::vector<T> fetch(const T* from, std::size_t n) {
    std::vector<T> v(n);
    CUDA_TRY(cudaMemcpy(v.data(), from, n * sizeof(T), cudaMemcpyDeviceToHost));
    return v;
  }

 private:
  T* data_ = nullptr;
  std::size_t size_;
};

template <typename Call>
void two_phase(Call call) {
  std::size_t bytes = 0;
  CUDA_TRY(call(nullptr, bytes));
  Buffer<unsigned char> temp(std::max<std::size_t>(bytes, 1));
  CUDA_TRY(call(temp.get(), bytes));
  CUDA_TRY(cudaDeviceSynchronize());
}

struct Maximum { __host__ __device__ int operator()(int a, int b) const { return a < b ? b : a; } };
struct MultipleOf {
  int divisor;
  __host__ __device__ bool operator()(int v) const { return v % divisor == 0; }
};

__global__ void generate(int* key, int* index, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  unsigned x = i * 0x9e3779b1u;
  x ^= x >> 15;
  key[i] = static_cast<int>(x % 4001u) - 2000;
  index[i] = i;
}

__global__ void flag_peaks(const int* key, unsigned char* flag, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) flag[i] = i > 0 && i + 1 < n && key[i] > key[i - 1] && key[i] > key[i + 1];
}

static int errors = 0;
template <typename T>
void compare(const char* name, const std::vector<T>& got, const std::vector<T>& want) {
  const bool same = got == want;
  unsigned h = 0;
  for (const T& v : got) h = h * 16777619u ^ static_cast<unsigned>(v);
  std::printf("%-16s n %5zu checksum %08x first %d last %d %s\n", name, got.size(), h, (int)got.front(),
              (int)got.back(), same ? "PASS" : "FAIL");
  errors += !same;
}

int main() {
  constexpr int n = 5000;
  Buffer<int> key(n), index(n), out(n), out2(n), runs(n), count(1);
  Buffer<unsigned char> flag(n);
  generate<<<(n + 255) / 256, 256>>>(key.get(), index.get(), n);
  flag_peaks<<<(n + 255) / 256, 256>>>(key.get(), flag.get(), n);
  CUDA_TRY(cudaGetLastError());
  const std::vector<int> k = key.host(), idx = index.host();

  // sort pairs, ascending, on copies of the arrays
  Buffer<int> k1(k), k2(n), v1(idx), v2(n);
  cub::DoubleBuffer<int> keys(k1.get(), k2.get()), values(v1.get(), v2.get());
  two_phase([&](void* t, std::size_t& b) { return cub::DeviceRadixSort::SortPairs(t, b, keys, values, n); });
  std::vector<int> order(idx), sorted(k);
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return k[a] < k[b]; });
  std::sort(sorted.begin(), sorted.end());
  compare("sort keys", Buffer<int>::fetch(keys.Current(), n), sorted);
  compare("sort values", Buffer<int>::fetch(values.Current(), n), order);

  // descending on bits 4..8 of the index only: stable inside equal digits
  two_phase([&](void* t, std::size_t& b) {
    return cub::DeviceRadixSort::SortKeysDescending(t, b, index.get(), out.get(), n, 4, 9);
  });
  std::vector<int> want(idx);
  std::stable_sort(want.begin(), want.end(), [](int a, int b) { return (a >> 4 & 31) > (b >> 4 & 31); });
  compare("sort bits", out.host(), want);

  two_phase([&](void* t, std::size_t& b) { return cub::DeviceScan::ExclusiveSum(t, b, key.get(), out.get(), n); });
  std::exclusive_scan(k.begin(), k.end(), want.begin(), 0);
  compare("exclusive sum", out.host(), want);
  two_phase([&](void* t, std::size_t& b) {
    return cub::DeviceScan::InclusiveScan(t, b, key.get(), out.get(), Maximum{}, n);
  });
  std::inclusive_scan(k.begin(), k.end(), want.begin(), Maximum{});
  compare("running maximum", out.host(), want);

  two_phase([&](void* t, std::size_t& b) {
    return cub::DeviceSelect::If(t, b, key.get(), out.get(), count.get(), n, MultipleOf{7});
  });
  want.clear();
  std::copy_if(k.begin(), k.end(), std::back_inserter(want), MultipleOf{7});
  compare("select if", out.host(count.host()[0]), want);

  two_phase([&](void* t, std::size_t& b) {
    return cub::DeviceSelect::Flagged(t, b, index.get(), flag.get(), out.get(), count.get(), n);
  });
  want.clear();
  for (int i = 1; i + 1 < n; ++i)
    if (k[i] > k[i - 1] && k[i] > k[i + 1]) want.push_back(i);
  compare("select flagged", out.host(count.host()[0]), want);

  two_phase([&](void* t, std::size_t& b) {
    return cub::DeviceRunLengthEncode::Encode(t, b, keys.Current(), out.get(), runs.get(), count.get(), n);
  });
  std::vector<int> lengths;
  want.clear();
  for (int v : sorted) {
    if (want.empty() || want.back() != v) { want.push_back(v); lengths.push_back(0); }
    ++lengths.back();
  }
  compare("run values", out.host(count.host()[0]), want);
  compare("run lengths", runs.host(count.host()[0]), lengths);
  int* in = keys.Current();
  two_phase([&](void* t, std::size_t& b) { return cub::DeviceSelect::Unique(t, b, in, out2.get(), count.get(), n); });
  compare("unique", out2.host(count.host()[0]), want);

  Buffer<int> result(3);
  two_phase([&](void* t, std::size_t& b) { return cub::DeviceReduce::Sum(t, b, key.get(), result.get(), n); });
  two_phase([&](void* t, std::size_t& b) { return cub::DeviceReduce::Min(t, b, key.get(), result.get() + 1, n); });
  two_phase([&](void* t, std::size_t& b) {
    return cub::DeviceReduce::Reduce(t, b, key.get(), result.get() + 2, n, Maximum{}, -100000);
  });
  compare("sum, min, max", result.host(), {std::accumulate(k.begin(), k.end(), 0), sorted.front(), sorted.back()});

  Buffer<int> bins(10);
  two_phase([&](void* t, std::size_t& b) {
    return cub::DeviceHistogram::HistogramEven(t, b, key.get(), bins.get(), 11, -2000, 2000, n);
  });
  want.assign(10, 0);
  for (int v : k)
    if (v < 2000) ++want[(v + 2000) / 400];
  compare("histogram", bins.host(), want);
  std::printf("errors: %d\n", errors);
  return 0;
}
