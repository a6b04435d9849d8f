// CUB's algorithms of the device on random numbers of ragged sizes, each beside a loop on the host, with the protocol of temporary
// storage: the first call says how much, the second does the work.
#include <cub/cub.cuh>
#include <cuda/std/functional>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <vector>

int wrong = 0, checks = 0;

void must(cudaError_t status, const char *what) {
  if (status == cudaSuccess) return;
  printf("%s: %s\n", what, cudaGetErrorString(status));
  exit(1);
}
template <class Call>
void run(const char *what, Call call) {
  void *storage = nullptr;
  size_t bytes = 0;
  must(call(storage, bytes), what);
  must(cudaMalloc(&storage, bytes), what);
  must(call(storage, bytes), what);
  must(cudaDeviceSynchronize(), what);
  cudaFree(storage);
}

template <class T>
struct on_device {
  T *data;
  size_t count;
  explicit on_device(size_t n) : count(n) { must(cudaMalloc(&data, (n + 1) * sizeof(T)), "cudaMalloc"); }
  explicit on_device(const std::vector<T> &from) : on_device(from.size()) {
    must(cudaMemcpy(data, from.data(), count * sizeof(T), cudaMemcpyHostToDevice), "cudaMemcpy");
  }
  ~on_device() { cudaFree(data); }
  on_device(const on_device &) = delete;
  std::vector<T> fetch(size_t n) const {
    std::vector<T> values(n);
    must(cudaMemcpy(values.data(), data, n * sizeof(T), cudaMemcpyDeviceToHost), "cudaMemcpy");
    return values;
  }
  T one() const { return fetch(1)[0]; }
};

template <class T>
void same(const char *what, size_t n, const std::vector<T> &got, const std::vector<T> &right) {
  ++checks;
  if (got == right) return;
  ++wrong;
  printf("%s of %zu: wrong\n", what, n);
}
template <class T>
void same(const char *what, size_t n, T got, T right) {
  same(what, n, std::vector<T>{got}, std::vector<T>{right});
}

struct larger_magnitude {
  __host__ __device__ int operator()(int a, int b) const { return abs(b) > abs(a) ? b : a; }
};
struct is_odd {
  __host__ __device__ bool operator()(int x) const { return x % 2 != 0; }
};
struct later_digit {
  __host__ __device__ bool operator()(int a, int b) const { return a % 10 < b % 10; }
};

void check(int n, std::mt19937 &random) {
  std::vector<int> in(n), keys(n), flags(n);
  std::vector<float> reals(n);
  for (int i = 0; i < n; ++i) {
    in[i] = (int)(random() % 2001) - 1000;
    keys[i] = i == 0 || random() % 3 == 0 ? (int)(random() % 5) : keys[i - 1];
    flags[i] = random() % 2;
    reals[i] = (float)((int)(random() % 4001) - 2000) / 8;
  }
  on_device<int> din(in), dkeys(keys), dflags(flags), dout(n), dout2(n), dcount(1);
  on_device<float> dreals(reals), dfloats(n);

  // Reductions
  int sum = 0, least = INT32_MAX, most = INT32_MIN, largest = 0;
  for (int x : in) {
    sum += x;
    least = std::min(least, x);
    most = std::max(most, x);
    if (abs(x) > abs(largest)) largest = x;
  }
  run("Sum", [&](void *s, size_t &b) { return cub::DeviceReduce::Sum(s, b, din.data, dcount.data, n); });
  same("Sum", n, dcount.one(), sum);
  run("Min", [&](void *s, size_t &b) { return cub::DeviceReduce::Min(s, b, din.data, dcount.data, n); });
  same("Min", n, dcount.one(), least);
  run("Max", [&](void *s, size_t &b) { return cub::DeviceReduce::Max(s, b, din.data, dcount.data, n); });
  same("Max", n, dcount.one(), most);
  run("Reduce", [&](void *s, size_t &b) { return cub::DeviceReduce::Reduce(s, b, din.data, dcount.data, n, larger_magnitude(), 0); });
  same("Reduce", n, abs(dcount.one()), abs(largest));

  // Keys in runs
  std::vector<int> unique, totals, lengths;
  for (int i = 0; i < n; ++i) {
    if (i == 0 || keys[i] != keys[i - 1]) unique.push_back(keys[i]), totals.push_back(0), lengths.push_back(0);
    totals.back() += in[i];
    lengths.back() += 1;
  }
  run("ReduceByKey", [&](void *s, size_t &b) {
    return cub::DeviceReduce::ReduceByKey(s, b, dkeys.data, dout.data, din.data, dout2.data, dcount.data, cuda::std::plus<int>(), n);
  });
  same("ReduceByKey, runs", n, dcount.one(), (int)unique.size());
  same("ReduceByKey, keys", n, dout.fetch(unique.size()), unique);
  same("ReduceByKey, sums", n, dout2.fetch(unique.size()), totals);
  run("Encode", [&](void *s, size_t &b) { return cub::DeviceRunLengthEncode::Encode(s, b, dkeys.data, dout.data, dout2.data, dcount.data, n); });
  same("Encode, runs", n, dcount.one(), (int)unique.size());
  same("Encode, lengths", n, dout2.fetch(unique.size()), lengths);
  run("Unique", [&](void *s, size_t &b) { return cub::DeviceSelect::Unique(s, b, dkeys.data, dout.data, dcount.data, n); });
  same("Unique", n, dout.fetch(dcount.one()), unique);
  std::vector<int> begins(1, 0), right(unique.size());
  for (int length : lengths) begins.push_back(begins.back() + length);
  on_device<int> dbegins(begins);
  run("Segments", [&](void *s, size_t &b) {
    return cub::DeviceSegmentedReduce::Sum(s, b, din.data, dout.data, (int)unique.size(), dbegins.data, dbegins.data + 1);
  });
  same("Segments", n, dout.fetch(unique.size()), totals);

  // Scans
  std::vector<int> inclusive(n), exclusive(n), greatest(n);
  for (int i = 0, s = 0, g = INT32_MIN; i < n; ++i) {
    exclusive[i] = s;
    inclusive[i] = s += in[i];
    greatest[i] = g = std::max(g, in[i]);
  }
  run("InclusiveSum", [&](void *s, size_t &b) { return cub::DeviceScan::InclusiveSum(s, b, din.data, dout.data, n); });
  same("InclusiveSum", n, dout.fetch(n), inclusive);
  run("ExclusiveSum", [&](void *s, size_t &b) { return cub::DeviceScan::ExclusiveSum(s, b, din.data, dout.data, n); });
  same("ExclusiveSum", n, dout.fetch(n), exclusive);
  run("InclusiveScan", [&](void *s, size_t &b) {
    return cub::DeviceScan::InclusiveScan(s, b, din.data, dout.data, [] __host__ __device__(int x, int y) { return x < y ? y : x; }, n);
  });
  same("InclusiveScan", n, dout.fetch(n), greatest);
  for (int &x : exclusive) x += 7;
  run("ExclusiveScan", [&](void *s, size_t &b) { return cub::DeviceScan::ExclusiveScan(s, b, din.data, dout.data, cuda::std::plus<int>(), 7, n); });
  same("ExclusiveScan", n, dout.fetch(n), exclusive);

  // Sorts
  std::vector<int> sorted = in;
  std::sort(sorted.begin(), sorted.end());
  run("SortKeys", [&](void *s, size_t &b) { return cub::DeviceRadixSort::SortKeys(s, b, din.data, dout.data, n); });
  same("SortKeys", n, dout.fetch(n), sorted);
  std::reverse(sorted.begin(), sorted.end());
  run("SortKeysDescending", [&](void *s, size_t &b) { return cub::DeviceRadixSort::SortKeysDescending(s, b, din.data, dout.data, n); });
  same("SortKeysDescending", n, dout.fetch(n), sorted);
  std::vector<float> reals_sorted = reals;
  std::sort(reals_sorted.begin(), reals_sorted.end());
  std::vector<int> order(n);
  for (int i = 0; i < n; ++i) order[i] = i;
  on_device<int> dorder(order);
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return reals[a] < reals[b]; });
  run("SortPairs", [&](void *s, size_t &b) { return cub::DeviceRadixSort::SortPairs(s, b, dreals.data, dfloats.data, dorder.data, dout.data, n); });
  same("SortPairs, keys", n, dfloats.fetch(n), reals_sorted);
  same("SortPairs, values", n, dout.fetch(n), order);
  std::vector<int> low = in;
  std::stable_sort(low.begin(), low.end(), [](int a, int b) { return ((unsigned)a >> 2 & 15) < ((unsigned)b >> 2 & 15); });
  run("SortKeys of bits", [&](void *s, size_t &b) { return cub::DeviceRadixSort::SortKeys(s, b, din.data, dout.data, n, 2, 6); });
  same("SortKeys of bits", n, dout.fetch(n), low);
  must(cudaMemcpy(dout.data, din.data, n * sizeof(int), cudaMemcpyDeviceToDevice), "cudaMemcpy");
  cub::DoubleBuffer<int> buffers(dout.data, dout2.data);
  run("SortKeys in two buffers", [&](void *s, size_t &b) { return cub::DeviceRadixSort::SortKeys(s, b, buffers, n); });
  std::reverse(sorted.begin(), sorted.end());
  std::vector<int> current(n);
  must(cudaMemcpy(current.data(), buffers.Current(), n * sizeof(int), cudaMemcpyDeviceToHost), "cudaMemcpy");
  same("SortKeys in two buffers", n, current, sorted);
  must(cudaMemcpy(dout.data, din.data, n * sizeof(int), cudaMemcpyDeviceToDevice), "cudaMemcpy");
  std::vector<int> digits = in;
  std::stable_sort(digits.begin(), digits.end(), later_digit());
  run("StableSortKeys", [&](void *s, size_t &b) { return cub::DeviceMergeSort::StableSortKeys(s, b, dout.data, n, later_digit()); });
  same("StableSortKeys", n, dout.fetch(n), digits);

  // Selections and histograms
  std::vector<int> odd, flagged;
  for (int i = 0; i < n; ++i) {
    if (in[i] % 2 != 0) odd.push_back(in[i]);
    if (flags[i] != 0) flagged.push_back(in[i]);
  }
  run("If", [&](void *s, size_t &b) { return cub::DeviceSelect::If(s, b, din.data, dout.data, dcount.data, n, is_odd()); });
  same("If", n, dout.fetch(dcount.one()), odd);
  run("Flagged", [&](void *s, size_t &b) { return cub::DeviceSelect::Flagged(s, b, din.data, dflags.data, dout.data, dcount.data, n); });
  same("Flagged", n, dout.fetch(dcount.one()), flagged);
  // Those that are left out lie behind, the last one first.
  const auto parted = [&](auto is_wanted) {
    std::vector<int> front, back;
    for (int i = 0; i < n; ++i) (is_wanted(i) ? front : back).push_back(in[i]);
    front.insert(front.end(), back.rbegin(), back.rend());
    return front;
  };
  run("Partition", [&](void *s, size_t &b) { return cub::DevicePartition::If(s, b, din.data, dout.data, dcount.data, n, is_odd()); });
  same("partition If", n, dout.fetch(n), parted([&](int i) { return in[i] % 2 != 0; }));
  run("Partition", [&](void *s, size_t &b) { return cub::DevicePartition::Flagged(s, b, din.data, dflags.data, dout.data, dcount.data, n); });
  same("partition Flagged", n, dout.fetch(n), parted([&](int i) { return flags[i] != 0; }));
  constexpr int bins = 16;
  std::vector<int> even(bins), real(bins), ranges(3);
  for (int x : in)
    if (x >= -800 && x < 800) ++even[(x + 800) / 100];
  for (float x : reals)
    if (x >= -128 && x < 128) ++real[(int)((x + 128) / 16)];
  for (int x : in)
    if (x >= -900 && x < 700) ++ranges[x < -10 ? 0 : x < 5 ? 1 : 2];
  on_device<int> dbins(bins), dlevels(std::vector<int>{-900, -10, 5, 700});
  run("HistogramEven", [&](void *s, size_t &b) { return cub::DeviceHistogram::HistogramEven(s, b, din.data, dbins.data, bins + 1, -800, 800, n); });
  same("HistogramEven", n, dbins.fetch(bins), even);
  run("HistogramEven", [&](void *s, size_t &b) { return cub::DeviceHistogram::HistogramEven(s, b, dreals.data, dbins.data, bins + 1, -128.0f, 128.0f, n); });
  same("HistogramEven of floats", n, dbins.fetch(bins), real);
  run("HistogramRange", [&](void *s, size_t &b) { return cub::DeviceHistogram::HistogramRange(s, b, din.data, dbins.data, 4, dlevels.data, n); });
  same("HistogramRange", n, dbins.fetch(3), ranges);
}

int main() {
  std::mt19937 random(13);
  for (int n : {1, 2, 31, 257, 1000, 4099}) check(n, random);
  int *one;
  must(cudaMalloc(&one, 4), "cudaMalloc");
  size_t little = 0;
  printf("storage that is too small: %s\n", cudaGetErrorName(cub::DeviceReduce::Sum(one, little, one, one, 1 << 20)));
  cudaFree(one);
  printf("%d checks, %d wrong\n", checks, wrong);
  return wrong != 0;
}
