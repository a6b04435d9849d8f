// Thrust as courses use it: vectors, transformations, reductions, scans, sorts, fancy iterators.
#include <thrust/copy.h>
#include <thrust/count.h>
#include <thrust/device_vector.h>
#include <thrust/extrema.h>
#include <thrust/execution_policy.h>
#include <thrust/fill.h>
#include <thrust/find.h>
#include <thrust/for_each.h>
#include <thrust/functional.h>
#include <thrust/gather.h>
#include <thrust/host_vector.h>
#include <thrust/inner_product.h>
#include <thrust/iterator/constant_iterator.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/permutation_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/partition.h>
#include <thrust/reduce.h>
#include <thrust/remove.h>
#include <thrust/scan.h>
#include <thrust/scatter.h>
#include <thrust/sequence.h>
#include <thrust/sort.h>
#include <thrust/transform.h>
#include <thrust/transform_reduce.h>
#include <thrust/tuple.h>
#include <thrust/unique.h>

#include <iostream>
#include <iterator>

struct saxpy {
  const float a;
  saxpy(float factor) : a(factor) {}
  __host__ __device__ float operator()(const float& x, const float& y) const { return a * x + y; }
};
struct square {
  __host__ __device__ int operator()(int x) const { return x * x; }
};
struct is_even {
  __host__ __device__ bool operator()(int x) const { return x % 2 == 0; }
};
struct mark {
  int* p;
  __device__ void operator()(int i) const { p[i] = 10 * i; }
};
struct arbitrary {
  template <typename Tuple>
  __host__ __device__ void operator()(Tuple t) {
    thrust::get<2>(t) = thrust::get<0>(t) * thrust::get<1>(t);
  }
};

template <class V>
void show(const char* name, const V& v) {
  std::cout << name << ":";
  for (size_t i = 0; i < v.size(); ++i) std::cout << ' ' << v[i];
  std::cout << '\n';
}

int main() {
  thrust::host_vector<int> h(8);
  for (int i = 0; i < 8; ++i) h[i] = (i * 5 + 3) % 8;
  thrust::device_vector<int> d = h;
  show("d", d);
  thrust::sort(d.begin(), d.end());
  show("sorted", d);
  thrust::sort(d.begin(), d.end(), thrust::greater<int>());
  show("down", d);
  d[0] = 70;
  std::cout << "sum " << thrust::reduce(d.begin(), d.end()) << " max "
            << thrust::reduce(d.begin(), d.end(), 0, thrust::maximum<int>()) << " squares "
            << thrust::transform_reduce(d.begin(), d.end(), square(), 0, thrust::plus<int>()) << '\n';
  std::cout << "least at " << thrust::min_element(d.begin(), d.end()) - d.begin() << ", even "
            << thrust::count_if(d.begin(), d.end(), is_even()) << ", 5 at "
            << thrust::find(d.begin(), d.end(), 5) - d.begin() << '\n';
  thrust::device_vector<float> x(4), y(4, 1.0f), z(4);
  thrust::sequence(x.begin(), x.end());
  thrust::transform(x.begin(), x.end(), y.begin(), y.begin(), saxpy(2.0f));
  show("saxpy", y);
  thrust::transform(x.begin(), x.end(), z.begin(), thrust::negate<float>());
  std::cout << "dot " << thrust::inner_product(x.begin(), x.end(), y.begin(), 0.0f) << '\n';
  using namespace thrust::placeholders;
  thrust::transform(x.begin(), x.end(), y.begin(), z.begin(), 3.0f * _1 - _2);
  show("placeholders", z);
  thrust::for_each(thrust::make_zip_iterator(thrust::make_tuple(x.begin(), y.begin(), z.begin())),
                   thrust::make_zip_iterator(thrust::make_tuple(x.end(), y.end(), z.end())), arbitrary());
  show("zipped", z);
  thrust::device_vector<int> ones(6, 1), sums(6);
  thrust::inclusive_scan(ones.begin(), ones.end(), sums.begin());
  show("inclusive", sums);
  thrust::exclusive_scan(sums.begin(), sums.end(), sums.begin());
  show("exclusive", sums);
  const int keys_of[] = {1, 1, 3, 3, 3, 2}, values_of[] = {1, 2, 3, 4, 5, 6};
  thrust::device_vector<int> keys(keys_of, keys_of + 6), values(values_of, values_of + 6), keys_out(6), values_out(6);
  auto ends = thrust::reduce_by_key(keys.begin(), keys.end(), values.begin(), keys_out.begin(), values_out.begin());
  std::cout << "groups " << ends.first - keys_out.begin() << " last sum " << values_out[2] << '\n';
  thrust::sort_by_key(keys.begin(), keys.end(), values.begin());
  show("by key", values);
  keys.erase(thrust::unique(keys.begin(), keys.end()), keys.end());
  show("unique", keys);
  auto end = thrust::copy_if(values.begin(), values.end(), values_out.begin(), is_even());
  thrust::copy(values_out.begin(), end, std::ostream_iterator<int>(std::cout, " "));
  std::cout << '\n';
  thrust::stable_partition(values.begin(), values.end(), is_even());
  std::cout << "even first " << (int)values[0] % 2 << (int)values[3] % 2 << '\n';
  thrust::device_vector<int> map = {3, 1, 0}, got(3);
  thrust::gather(map.begin(), map.end(), values.begin(), got.begin());
  std::cout << thrust::reduce(thrust::make_permutation_iterator(values.begin(), map.begin()),
                              thrust::make_permutation_iterator(values.begin(), map.end()))
            << ' ' << thrust::reduce(got.begin(), got.end()) << '\n';
  auto squares = thrust::make_transform_iterator(thrust::counting_iterator<int>(1), square());
  std::cout << "squares " << thrust::reduce(squares, squares + 10) << '\n';
  int* raw;
  cudaMalloc(&raw, 5 * sizeof(int));
  thrust::for_each(thrust::device, thrust::counting_iterator<int>(0), thrust::counting_iterator<int>(5), mark{raw});
  thrust::device_ptr<int> p(raw);
  std::cout << "raw " << thrust::reduce(thrust::device, raw, raw + 5) << ' ' << p[4] << ' '
            << (thrust::raw_pointer_cast(p) == raw) << '\n';
  cudaFree(raw);
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  thrust::fill(thrust::cuda::par.on(stream), ones.begin(), ones.end(), 7);
  cudaStreamDestroy(stream);
  h.resize(6);
  thrust::copy(ones.begin(), ones.end(), h.begin());
  std::cout << "host " << thrust::reduce(h.begin(), h.end()) << '\n';
}
