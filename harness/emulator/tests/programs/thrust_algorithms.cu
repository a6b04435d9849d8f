// Algorithms and iterators of Thrust on random numbers of ragged sizes, each beside a loop on the host.
#include <thrust/adjacent_difference.h>
#include <thrust/copy.h>
#include <thrust/device_vector.h>
#include <thrust/equal.h>
#include <thrust/extrema.h>
#include <thrust/functional.h>
#include <thrust/generate.h>
#include <thrust/iterator/constant_iterator.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/reverse_iterator.h>
#include <thrust/iterator/transform_output_iterator.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/mismatch.h>
#include <thrust/replace.h>
#include <thrust/reverse.h>
#include <thrust/scan.h>
#include <thrust/scatter.h>
#include <thrust/sort.h>
#include <thrust/tabulate.h>
#include <thrust/transform.h>
#include <thrust/zip_function.h>

#include <algorithm>
#include <cstdio>
#include <random>
#include <vector>

int checks = 0, wrong = 0;

void same(const char *what, const thrust::device_vector<int> &got, const std::vector<int> &right) {
  ++checks;
  std::vector<int> values(got.size());
  thrust::copy(got.begin(), got.end(), values.begin());
  values.resize(right.size());
  if (values == right) return;
  ++wrong;
  printf("%s of %zu: wrong\n", what, right.size());
}
void holds(const char *what, bool is_so) {
  ++checks;
  if (is_so) return;
  ++wrong;
  printf("%s: wrong\n", what);
}

struct is_odd {
  __host__ __device__ bool operator()(int x) const { return x % 2 != 0; }
};
struct is_marked {
  __host__ __device__ bool operator()(int mark) const { return mark != 0; }
};
struct half_of {
  __host__ __device__ int operator()(int x) const { return x / 2; }
};
struct weighted {
  __host__ __device__ int operator()(int x, int y) const { return 3 * x - y; }
};
struct of_three {
  __host__ __device__ int operator()(int x, int y, int z) const { return x + 10 * y - z; }
};
struct squared_place {
  __host__ __device__ int operator()(int i) const { return i * i % 97; }
};
struct same_sign {
  __host__ __device__ bool operator()(int x, int y) const { return (x < 0) == (y < 0); }
};
struct always_eleven {
  __host__ __device__ int operator()() const { return 11; }
};

void check(int n, std::mt19937 &random) {
  const auto draw = [&](int from, int to) {
    std::vector<int> all(n);
    for (int &x : all) x = from + (int)(random() % (to - from + 1));
    return all;
  };
  const std::vector<int> a = draw(-500, 500), b = draw(-500, 500), marks = draw(0, 1), keys_of = draw(0, 3);
  std::vector<int> keys = keys_of, map(n), right(n);
  for (int i = 1; i < n; ++i)
    if (random() % 4 != 0) keys[i] = keys[i - 1];
  for (int i = 0; i < n; ++i) map[i] = i;
  std::shuffle(map.begin(), map.end(), random);
  const thrust::device_vector<int> da(a), db(b), dmarks(marks), dkeys(keys), dmap(map);
  thrust::device_vector<int> out(n);

  // Element by element, where a condition holds
  thrust::fill(out.begin(), out.end(), -1);
  thrust::transform_if(da.begin(), da.end(), out.begin(), half_of(), is_odd());
  for (int i = 0; i < n; ++i) right[i] = a[i] % 2 != 0 ? a[i] / 2 : -1;
  same("transform_if", out, right);
  thrust::fill(out.begin(), out.end(), -1);
  thrust::transform_if(da.begin(), da.end(), db.begin(), dmarks.begin(), out.begin(), weighted(), is_marked());
  for (int i = 0; i < n; ++i) right[i] = marks[i] ? 3 * a[i] - b[i] : -1;
  same("transform_if of two", out, right);
  thrust::scatter(da.begin(), da.end(), dmap.begin(), out.begin());
  for (int i = 0; i < n; ++i) right[map[i]] = a[i];
  same("scatter", out, right);
  thrust::fill(out.begin(), out.end(), 7);
  thrust::scatter_if(da.begin(), da.end(), dmap.begin(), dmarks.begin(), out.begin());
  std::fill(right.begin(), right.end(), 7);
  for (int i = 0; i < n; ++i)
    if (marks[i]) right[map[i]] = a[i];
  same("scatter_if", out, right);
  thrust::device_vector<int> changed(keys);
  thrust::replace(changed.begin(), changed.end(), 2, 20);
  for (int i = 0; i < n; ++i) right[i] = keys[i] == 2 ? 20 : keys[i];
  same("replace", changed, right);
  thrust::replace_if(changed.begin(), changed.end(), is_odd(), 5);
  for (int &x : right) x = x % 2 != 0 ? 5 : x;
  same("replace_if", changed, right);
  thrust::replace_copy(dkeys.begin(), dkeys.end(), out.begin(), 1, -4);
  for (int i = 0; i < n; ++i) right[i] = keys[i] == 1 ? -4 : keys[i];
  same("replace_copy", out, right);
  thrust::replace_copy_if(da.begin(), da.end(), out.begin(), is_odd(), 0);
  for (int i = 0; i < n; ++i) right[i] = a[i] % 2 != 0 ? 0 : a[i];
  same("replace_copy_if", out, right);
  thrust::generate(out.begin(), out.end(), always_eleven());
  same("generate", out, std::vector<int>(n, 11));
  thrust::tabulate(out.begin(), out.end(), squared_place());
  for (int i = 0; i < n; ++i) right[i] = (int)((long long)i * i % 97);
  same("tabulate", out, right);

  // Neighbours and order
  thrust::adjacent_difference(da.begin(), da.end(), out.begin());
  for (int i = 0; i < n; ++i) right[i] = i == 0 ? a[0] : a[i] - a[i - 1];
  same("adjacent_difference", out, right);
  thrust::adjacent_difference(da.begin(), da.end(), out.begin(), weighted());
  for (int i = 0; i < n; ++i) right[i] = i == 0 ? a[0] : 3 * a[i] - a[i - 1];
  same("adjacent_difference with a function", out, right);
  thrust::reverse_copy(da.begin(), da.end(), out.begin());
  right.assign(a.rbegin(), a.rend());
  same("reverse_copy", out, right);
  thrust::reverse(out.begin(), out.end());
  same("reverse", out, a);
  std::vector<int> other = a;
  const int place = (int)(random() % n);
  other[place] += 1;
  const thrust::device_vector<int> dother(other);
  const auto differs = thrust::mismatch(da.begin(), da.end(), dother.begin());
  holds("mismatch", differs.first - da.begin() == place && differs.second - dother.begin() == place);
  holds("equal", thrust::equal(da.begin(), da.end(), da.begin()) && !thrust::equal(da.begin(), da.end(), dother.begin()));
  holds("equal by a predicate", thrust::equal(da.begin(), da.end(), db.begin(), same_sign()) ==
                                    std::equal(a.begin(), a.end(), b.begin(), same_sign()));
  holds("is_sorted", thrust::is_sorted(da.begin(), da.end()) == std::is_sorted(a.begin(), a.end()));
  holds("is_sorted_until", thrust::is_sorted_until(da.begin(), da.end()) - da.begin() == std::is_sorted_until(a.begin(), a.end()) - a.begin());
  thrust::device_vector<int> sorted(da);
  thrust::sort(sorted.begin(), sorted.end(), thrust::greater<int>());
  holds("is_sorted downwards", thrust::is_sorted(sorted.begin(), sorted.end(), thrust::greater<int>()));
  const auto extremes = thrust::minmax_element(da.begin(), da.end());
  int least = 0, most = 0;
  for (int i = 0; i < n; ++i) {
    if (a[i] < a[least]) least = i;
    if (a[i] > a[most]) most = i;
  }
  holds("minmax_element", *extremes.first == a[least] && *extremes.second == a[most]);

  // Sums of runs of equal keys
  thrust::inclusive_scan_by_key(dkeys.begin(), dkeys.end(), da.begin(), out.begin());
  for (int i = 0; i < n; ++i) right[i] = a[i] + (i > 0 && keys[i] == keys[i - 1] ? right[i - 1] : 0);
  same("inclusive_scan_by_key", out, right);
  thrust::exclusive_scan_by_key(dkeys.begin(), dkeys.end(), da.begin(), out.begin(), 100);
  for (int i = 0; i < n; ++i) right[i] = i > 0 && keys[i] == keys[i - 1] ? right[i - 1] + a[i - 1] : 100;
  same("exclusive_scan_by_key", out, right);
  thrust::inclusive_scan_by_key(dkeys.begin(), dkeys.end(), da.begin(), out.begin(), thrust::equal_to<int>(), thrust::maximum<int>());
  for (int i = 0; i < n; ++i) right[i] = i > 0 && keys[i] == keys[i - 1] ? std::max(right[i - 1], a[i]) : a[i];
  same("inclusive_scan_by_key of maxima", out, right);

  // Iterators
  const auto zipped = thrust::make_zip_iterator(thrust::make_tuple(da.begin(), db.begin(), dkeys.begin()));
  thrust::transform(zipped, zipped + n, out.begin(), thrust::make_zip_function(of_three()));
  for (int i = 0; i < n; ++i) right[i] = a[i] + 10 * b[i] - keys[i];
  same("zip_function", out, right);
  thrust::copy(thrust::make_reverse_iterator(da.end()), thrust::make_reverse_iterator(da.begin()), out.begin());
  right.assign(a.rbegin(), a.rend());
  same("reverse_iterator", out, right);
  thrust::transform(da.begin(), da.end(), thrust::constant_iterator<int>(9), out.begin(), thrust::multiplies<int>());
  for (int i = 0; i < n; ++i) right[i] = 9 * a[i];
  same("constant_iterator", out, right);
  thrust::copy(da.begin(), da.end(), thrust::make_transform_output_iterator(out.begin(), half_of()));
  for (int i = 0; i < n; ++i) right[i] = a[i] / 2;
  same("transform_output_iterator", out, right);
}

int main() {
  std::mt19937 random(23);
  for (int n : {1, 2, 33, 500, 1023}) check(n, random);
  printf("%d checks, %d wrong\n", checks, wrong);
  return wrong != 0;
}
