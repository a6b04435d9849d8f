// thrust_statistics.cu - Descriptive statistics of a synthetic sensor record with
// Thrust: values are generated from a counting_iterator, mean and spread come from
// transform_reduce, readings are grouped per sensor with sort_by_key and
// reduce_by_key, duplicates are removed with unique, outliers are selected with
// copy_if and counted with zip_iterator predicates.  Everything is integer
// arithmetic (or exact in double), thus a simple host loop gives the same numbers.
#include <thrust/copy.h>
#include <thrust/count.h>
#include <thrust/device_vector.h>
#include <thrust/execution_policy.h>
#include <thrust/extrema.h>
#include <thrust/functional.h>
#include <thrust/host_vector.h>
#include <thrust/inner_product.h>
#include <thrust/iterator/constant_iterator.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/reduce.h>
#include <thrust/scan.h>
#include <thrust/sequence.h>
#include <thrust/sort.h>
#include <thrust/transform.h>
#include <thrust/transform_reduce.h>
#include <thrust/tuple.h>
#include <thrust/unique.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <vector>

constexpr int N = 6000, SENSORS = 12;

#define CUDA_OK(call)                                                                   \
  do {                                                                                  \
    cudaError_t err = (call);                                                           \
    if (err != cudaSuccess) {                                                           \
      std::fprintf(stderr, "%s: %s\n", #call, cudaGetErrorString(err));                 \
      std::exit(EXIT_FAILURE);                                                          \
    }                                                                                   \
  } while (0)

struct Reading {
  __host__ __device__ int operator()(int i) const {
    unsigned x = static_cast<unsigned>(i) * 1664525u + 1013904223u;
    x ^= x >> 13;
    x *= 0x5bd1e995u;
    return static_cast<int>((x >> 9) % 2001u) - 1000;
  }
};
struct SensorOf {
  __host__ __device__ int operator()(int i) const { return (i * 7 + i / 50) % SENSORS; }
};
struct Square {
  __host__ __device__ long long operator()(int v) const { return static_cast<long long>(v) * v; }
};
struct Outside {
  int limit;
  __host__ __device__ bool operator()(int v) const { return v > limit || v < -limit; }
};
struct QuietEvenSensor {
  __host__ __device__ bool operator()(const thrust::tuple<int, int>& t) const {
    return thrust::get<0>(t) % 2 == 0 && thrust::get<1>(t) > -50 && thrust::get<1>(t) < 50;
  }
};

// Hand-written kernel working on the storage of a device_vector.
__global__ void bucketise(const int* __restrict__ v, int n, int* bins) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    atomicAdd(&bins[(v[i] + 1000) / 251], 1);
}

static int failures = 0;
static void report(const char* what, bool ok) {
  failures += !ok;
  std::printf("%-22s %s\n", what, ok ? "PASS" : "FAIL");
}

int main() {
  thrust::device_vector<int> value(N), sensor(N);
  thrust::counting_iterator<int> first(0);
  thrust::transform(first, first + N, value.begin(), Reading());
  thrust::transform(first, first + N, sensor.begin(), SensorOf());
  std::vector<int> hv(N), hs(N);
  for (int i = 0; i < N; ++i) { hv[i] = Reading()(i); hs[i] = SensorOf()(i); }
  thrust::host_vector<int> copy = value;
  report("generate", std::equal(hv.begin(), hv.end(), copy.begin()));

  const int sum = thrust::reduce(value.begin(), value.end(), 0, thrust::plus<int>());
  const long long squares =
      thrust::transform_reduce(value.begin(), value.end(), Square(), 0LL, thrust::plus<long long>());
  long long hsum = 0, hsquares = 0, hdot = 0;
  for (int i = 0; i < N; ++i) { hsum += hv[i]; hsquares += Square()(hv[i]); hdot += (long long)hv[i] * hs[i]; }
  const long long dot = thrust::inner_product(value.begin(), value.end(), sensor.begin(), 0LL);
  std::printf("sum %d, squares %lld, dot %lld, variance %.3f\n", sum, squares, dot,
              (double)squares / N - (double)sum / N * ((double)sum / N));
  report("moments", sum == hsum && squares == hsquares && dot == hdot);

  auto ends = thrust::minmax_element(value.begin(), value.end());
  const int low = *ends.first, high = *ends.second, at = static_cast<int>(ends.first - value.begin());
  std::printf("minimum %d, maximum %d\n", low, high);
  auto hlow = std::min_element(hv.begin(), hv.end());
  report("minmax_element", low == *hlow && high == *std::max_element(hv.begin(), hv.end()) && hv[at] == low);

  auto pairs = thrust::make_zip_iterator(thrust::make_tuple(sensor.begin(), value.begin()));
  const long quiet = static_cast<long>(thrust::count_if(pairs, pairs + N, QuietEvenSensor()));
  long hquiet = 0;
  for (int i = 0; i < N; ++i) hquiet += hs[i] % 2 == 0 && hv[i] > -50 && hv[i] < 50;
  std::printf("quiet readings of even sensors: %ld\n", quiet);
  report("zip count_if", quiet == hquiet);

  thrust::device_vector<int> outlier(N);
  auto tail = thrust::copy_if(value.begin(), value.end(), outlier.begin(), Outside{950});
  outlier.resize(tail - outlier.begin());
  std::vector<int> hout;
  std::copy_if(hv.begin(), hv.end(), std::back_inserter(hout), Outside{950});
  std::vector<int> got(outlier.size());
  thrust::copy(outlier.begin(), outlier.end(), got.begin());
  std::printf("outliers %zu: %d %d ... %d\n", got.size(), got[0], got[1], got.back());
  report("copy_if", got == hout);

  thrust::device_vector<int> running(N);
  thrust::inclusive_scan(value.begin(), value.end(), running.begin());
  copy = running;
  int acc = 0, bad = 0;
  for (int i = 0; i < N; ++i) { acc += hv[i]; bad += copy[i] != acc; }
  report("inclusive_scan", bad == 0);

  thrust::device_vector<int> bins(8, 0);
  bucketise<<<8, 128>>>(thrust::raw_pointer_cast(value.data()), N, thrust::raw_pointer_cast(bins.data()));
  CUDA_OK(cudaGetLastError());
  CUDA_OK(cudaDeviceSynchronize());
  copy = bins;
  std::printf("histogram");
  for (int b : copy) std::printf(" %d", b);
  std::printf("\n");
  for (int v : hv) --copy[(v + 1000) / 251];
  report("kernel histogram", std::count(copy.begin(), copy.end(), 0) == 8);

  thrust::device_vector<int> key = sensor, data = value, group(SENSORS), total(SENSORS), size(SENSORS);
  thrust::stable_sort_by_key(key.begin(), key.end(), data.begin());
  auto end = thrust::reduce_by_key(key.begin(), key.end(), data.begin(), group.begin(), total.begin());
  thrust::reduce_by_key(key.begin(), key.end(), thrust::make_constant_iterator(1), group.begin(), size.begin());
  std::map<int, std::pair<int, int>> ref;
  for (int i = 0; i < N; ++i) { ref[hs[i]].first += hv[i]; ref[hs[i]].second++; }
  bad = (end.first - group.begin()) != (long)ref.size();
  for (int s = 0; s < SENSORS; ++s) {
    std::printf("sensor %2d: %3d readings, total %6d\n", (int)group[s], (int)size[s], (int)total[s]);
    bad += total[s] != ref[s].first || size[s] != ref[s].second;
  }
  report("reduce_by_key", bad == 0);

  thrust::sort(value.begin(), value.end(), thrust::greater<int>());
  const int median = value[N / 2];
  value.erase(thrust::unique(value.begin(), value.end()), value.end());
  std::sort(hv.begin(), hv.end(), std::greater<int>());
  const int hmedian = hv[N / 2];
  hv.erase(std::unique(hv.begin(), hv.end()), hv.end());
  std::printf("median %d, distinct values %zu\n", median, value.size());
  report("sort and unique", median == hmedian && hv.size() == value.size());
  std::printf("failures: %d\n", failures);
  return 0;
}
