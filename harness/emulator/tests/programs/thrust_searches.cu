// Thrust's searches, merges, sets and random numbers on ragged sizes, each beside a loop on the host.
#include <thrust/binary_search.h>
#include <thrust/device_vector.h>
#include <thrust/host_vector.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/merge.h>
#include <thrust/random.h>
#include <thrust/reduce.h>
#include <thrust/set_operations.h>
#include <thrust/sort.h>
#include <thrust/transform.h>
#include <thrust/transform_reduce.h>
#include <thrust/universal_vector.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <random>
#include <vector>

int checks = 0, wrong = 0;

template <class T>
std::vector<T> fetched(const thrust::device_vector<T> &from, size_t count) {
  std::vector<T> values(count);
  thrust::copy(from.begin(), from.begin() + count, values.begin());
  return values;
}
template <class T>
void same(const char *what, size_t n, const std::vector<T> &got, const std::vector<T> &right) {
  ++checks;
  if (got == right) return;
  ++wrong;
  printf("%s of %zu: wrong\n", what, n);
}
void holds(const char *what, size_t n, bool is_so) { same(what, n, std::vector<int>{is_so}, std::vector<int>{1}); }

void search(int n, std::mt19937 &random) {
  std::vector<int> sorted(n), asked(n + 7);
  for (int &x : sorted) x = (int)(random() % (n + 1)) * 2;
  std::sort(sorted.begin(), sorted.end());
  for (int &x : asked) x = (int)(random() % (2 * n + 5)) - 1;
  const thrust::device_vector<int> d(sorted), values(asked);
  thrust::device_vector<int> places(asked.size());
  thrust::device_vector<bool> found(asked.size());
  std::vector<int> lower, upper;
  std::vector<bool> there;
  for (int x : asked) {
    int below = 0, not_above = 0;
    for (int y : sorted) below += y < x, not_above += y <= x;
    lower.push_back(below);
    upper.push_back(not_above);
    there.push_back(not_above > below);
  }
  thrust::lower_bound(d.begin(), d.end(), values.begin(), values.end(), places.begin());
  same("lower_bound", n, fetched(places, asked.size()), lower);
  thrust::upper_bound(thrust::device, d.begin(), d.end(), values.begin(), values.end(), places.begin());
  same("upper_bound", n, fetched(places, asked.size()), upper);
  thrust::binary_search(d.begin(), d.end(), values.begin(), values.end(), found.begin());
  std::vector<bool> got(asked.size());
  for (size_t i = 0; i < got.size(); ++i) got[i] = found[i];
  same("binary_search", n, got, there);
  for (int i = 0; i < 3; ++i) {
    holds("lower_bound of one", n, thrust::lower_bound(d.begin(), d.end(), asked[i]) - d.begin() == lower[i]);
    holds("upper_bound of one", n, thrust::upper_bound(d.begin(), d.end(), asked[i]) - d.begin() == upper[i]);
    holds("binary_search of one", n, thrust::binary_search(d.begin(), d.end(), asked[i]) == there[i]);
    const auto range = thrust::equal_range(d.begin(), d.end(), asked[i]);
    holds("equal_range", n, range.second - range.first == upper[i] - lower[i]);
  }
  // A histogram of sorted elements: how many are below each level.
  const int levels = 9;
  thrust::device_vector<int> below(levels);
  const thrust::counting_iterator<int> first(0);
  thrust::upper_bound(d.begin(), d.end(), first, first + levels, below.begin());
  std::vector<int> right(levels);
  for (int level = 0; level < levels; ++level)
    right[level] = (int)std::count_if(sorted.begin(), sorted.end(), [=](int x) { return x <= level; });
  same("levels", n, fetched(below, levels), right);
}

void join(int n, std::mt19937 &random) {
  std::vector<int> a(n), b(n / 2 + 3);
  for (int &x : a) x = random() % (n / 2 + 2);
  for (int &x : b) x = random() % (n / 2 + 2);
  std::sort(a.begin(), a.end());
  std::sort(b.begin(), b.end());
  const thrust::device_vector<int> da(a), db(b);
  thrust::device_vector<int> out(a.size() + b.size());
  using call = std::function<thrust::device_vector<int>::iterator()>;
  const auto check = [&](const char *what, const call &made, const std::vector<int> &right) {
    const size_t count = made() - out.begin();
    same(what, n, fetched(out, count), right);
  };
  // By how often each value stands in either.
  std::vector<int> merged, all, common, first_alone, apart;
  for (int x = 0; x < n / 2 + 2; ++x) {
    const int of_a = (int)std::count(a.begin(), a.end(), x), of_b = (int)std::count(b.begin(), b.end(), x);
    merged.insert(merged.end(), of_a + of_b, x);
    all.insert(all.end(), std::max(of_a, of_b), x);
    common.insert(common.end(), std::min(of_a, of_b), x);
    first_alone.insert(first_alone.end(), std::max(of_a - of_b, 0), x);
    apart.insert(apart.end(), std::abs(of_a - of_b), x);
  }
  check("merge", [&] { return thrust::merge(da.begin(), da.end(), db.begin(), db.end(), out.begin()); }, merged);
  check("set_union", [&] { return thrust::set_union(da.begin(), da.end(), db.begin(), db.end(), out.begin()); }, all);
  check("set_intersection", [&] { return thrust::set_intersection(da.begin(), da.end(), db.begin(), db.end(), out.begin()); }, common);
  check("set_difference", [&] { return thrust::set_difference(da.begin(), da.end(), db.begin(), db.end(), out.begin()); }, first_alone);
  check("set_symmetric_difference", [&] { return thrust::set_symmetric_difference(da.begin(), da.end(), db.begin(), db.end(), out.begin()); }, apart);
  // Downwards, with values: of equal keys those of the first range come first.
  std::reverse(a.begin(), a.end());
  std::reverse(b.begin(), b.end());
  const thrust::device_vector<int> ra(a), rb(b);
  thrust::device_vector<char> va(a.size(), 'a'), vb(b.size(), 'b'), from(merged.size());
  thrust::merge_by_key(ra.begin(), ra.end(), rb.begin(), rb.end(), va.begin(), vb.begin(), out.begin(), from.begin(), thrust::greater<int>());
  std::vector<char> origins;
  for (int x = n / 2 + 1; x >= 0; --x) {
    origins.insert(origins.end(), std::count(a.begin(), a.end(), x), 'a');
    origins.insert(origins.end(), std::count(b.begin(), b.end(), x), 'b');
  }
  std::reverse(merged.begin(), merged.end());
  same("merge_by_key, keys", n, fetched(out, merged.size()), merged);
  same("merge_by_key, values", n, fetched(from, merged.size()), origins);
}

// The part of a quarter circle that random points meet, as in Thrust's examples: each thread skips to draws of its own.
struct meets_circle {
  __host__ __device__ int operator()(unsigned thread) const {
    thrust::default_random_engine engine(17);
    engine.discard(2 * 100 * thread);
    thrust::uniform_real_distribution<float> side(0, 1);
    int met = 0;
    for (int i = 0; i < 100; ++i) {
      const float x = side(engine), y = side(engine);
      met += x * x + y * y <= 1;
    }
    return met;
  }
};
struct die {
  __host__ __device__ int operator()(int thread) const {
    thrust::minstd_rand engine;
    engine.discard(thread);
    thrust::uniform_int_distribution<int> side(1, 6);
    return side(engine);
  }
};

int main() {
  std::mt19937 random(11);
  for (int n : {1, 5, 64, 333}) {
    search(n, random);
    join(n, random);
  }
  // Engines draw what the standard's do.
  thrust::minstd_rand ours(5);
  std::minstd_rand theirs(5);
  bool are_equal = true;
  for (int i = 0; i < 1000; ++i) are_equal &= ours() == theirs();
  ours.discard(123456789);
  theirs.discard(123456789);
  are_equal &= ours() == theirs();
  thrust::minstd_rand0 old_ours(7);
  std::minstd_rand0 old_theirs(7);
  for (int i = 0; i < 1000; ++i) are_equal &= old_ours() == old_theirs();
  holds("minstd_rand", 1000, are_equal);
  const thrust::counting_iterator<unsigned> first(0);
  const int met = thrust::transform_reduce(first, first + 200, meets_circle(), 0, thrust::plus<int>());
  int right = 0;
  for (unsigned i = 0; i < 200; ++i) right += meets_circle()(i);
  holds("points in a circle", 200, met == right && std::fabs(met / 20000.0 * 4 - 3.14159) < 0.05);
  thrust::device_vector<int> sides(600);
  thrust::transform(thrust::counting_iterator<int>(0), thrust::counting_iterator<int>(600), sides.begin(), die());
  std::vector<int> counts(6);
  for (int side : fetched(sides, 600)) ++counts.at(side - 1);
  holds("six sides", 600, *std::min_element(counts.begin(), counts.end()) > 60);
  // Real numbers are rounded towards zero: below it every number stands for the one above, and zero for two.
  thrust::minstd_rand below(11);
  thrust::uniform_int_distribution<int> around_zero(-2, 3);
  std::vector<int> rounded(6);
  for (int i = 0; i < 600; ++i) ++rounded.at(around_zero(below) + 2);
  holds("a range around zero", 600, rounded[0] == 0 && rounded[2] > 150 && rounded[2] < 250);
  thrust::default_random_engine engine(3);
  thrust::normal_distribution<float> normal(10, 2);
  double sum = 0, squares = 0;
  for (int i = 0; i < 4000; ++i) {
    const double x = normal(engine);
    sum += x;
    squares += (x - 10) * (x - 10);
  }
  holds("normal numbers", 4000, std::fabs(sum / 4000 - 10) < 0.2 && std::fabs(squares / 4000 - 4) < 0.4);
  // Managed memory: host and device use the same elements.
  thrust::universal_vector<int> both(100);
  for (int i = 0; i < 100; ++i) both[i] = i % 7;
  thrust::sort(both.begin(), both.end());
  cudaDeviceSynchronize();
  const int total = thrust::reduce(both.begin(), both.end());
  bool goes_up = true;
  int expected = 0;
  for (int i = 0; i < 100; ++i) {
    expected += i % 7;
    goes_up &= i == 0 || both[i - 1] <= both[i];
  }
  holds("universal_vector", 100, goes_up && total == expected);
  printf("%d checks, %d wrong\n", checks, wrong);
  return wrong != 0;
}
