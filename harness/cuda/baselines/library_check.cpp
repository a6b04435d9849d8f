#include "cuda/baselines/library_check.h"

#include <cuda_runtime.h>

#include <cmath>
#include <cstdio>
#include <cstring>

#include "cuda/baselines/library.h"
#include "cuda/baselines/temporary_memory.h"
#include "cuda/device_kernels.h"
#include "spec/random_source.h"

namespace simtlab {
namespace {

using numbers = std::vector<double>;

// One array of a library's call, filled on the host.
struct checked_array {
  request_argument of;
  std::vector<std::byte> bytes;
  std::unique_ptr<temporary_memory> memory;

  checked_array(argument_role role, scalar_type type, std::size_t element_bytes, std::vector<std::size_t> extents) {
    std::size_t elements = 1;
    for (const std::size_t extent : extents) elements *= extent;
    of = {"checked", role, element_bytes, elements, type, std::move(extents)};
    bytes.resize(elements * element_bytes);
    memory = std::make_unique<temporary_memory>(bytes.size());
  }
  template <class T>
  void store(const std::vector<T>& values) {
    std::memcpy(bytes.data(), values.data(), bytes.size());
    SIMTLAB_CHECKED(cudaMemcpy(memory->data(), bytes.data(), bytes.size(), cudaMemcpyHostToDevice));
  }
  template <class T>
  numbers values() {
    SIMTLAB_CHECKED(cudaMemcpy(bytes.data(), memory->data(), bytes.size(), cudaMemcpyDeviceToHost));
    const T* begin = reinterpret_cast<const T*>(bytes.data());
    return {begin, begin + bytes.size() / sizeof(T)};
  }
  [[nodiscard]] device_array on_device() const { return {&of, memory->data()}; }
};

std::vector<float> random_floats(std::size_t count, std::uint64_t seed) {
  return random_stream(seed).uniform<float>(count);
}

checked_array float_input(std::vector<std::size_t> extents, const std::vector<float>& values) {
  checked_array made(argument_role::input, scalar_type::f32, sizeof(float), std::move(extents));
  made.store(values);
  return made;
}

template <class T>
numbers output_of(library_factory library, scalar_type type, std::vector<std::size_t> extents,
                  const std::vector<const checked_array*>& inputs) {
  checked_array to(argument_role::output, type, sizeof(T), std::move(extents));
  SIMTLAB_CHECKED(cudaMemset(to.memory->data(), poison_byte, to.bytes.size()));
  library_problem problem;
  for (const checked_array* input : inputs) problem.inputs.push_back(input->on_device());
  problem.outputs.push_back(to.on_device());
  library(problem)();
  SIMTLAB_CHECKED(cudaDeviceSynchronize());
  return to.values<T>();
}

bool agree(const char* name, const numbers& found, const numbers& expected, double tolerance) {
  std::size_t wrong = found.size() == expected.size() ? 0 : 1;
  for (std::size_t i = 0; wrong == 0 && i < found.size(); ++i)
    if (!(std::fabs(found[i] - expected[i]) <= tolerance * (1 + std::fabs(expected[i])))) wrong = i + 1;
  std::printf("%s: %s\n", name, wrong == 0 ? "right" : "wrong");
  return wrong == 0;
}

bool check_product() {
  const std::size_t j = 37, k = 53, l = 29;
  const auto a = random_floats(j * k, 1), b = random_floats(k * l, 2);
  numbers expected(j * l);
  for (std::size_t row = 0; row < j; ++row)
    for (std::size_t p = 0; p < k; ++p)
      for (std::size_t col = 0; col < l; ++col)
        expected[row * l + col] += static_cast<double>(a[row * k + p]) * static_cast<double>(b[p * l + col]);
  const auto left = float_input({j, k}, a), right = float_input({k, l}, b);
  return agree("cublas_sgemm", output_of<float>(cublas_sgemm, scalar_type::f32, {j, l}, {&left, &right}), expected,
               1e-5);
}

bool check_transpose() {
  const std::size_t rows = 49, cols = 78;
  const auto from = random_floats(rows * cols, 3);
  numbers expected(from.size());
  for (std::size_t r = 0; r < rows; ++r)
    for (std::size_t c = 0; c < cols; ++c) expected[c * rows + r] = static_cast<double>(from[r * cols + c]);
  const auto input = float_input({rows, cols}, from);
  return agree("cublas_geam", output_of<float>(cublas_geam, scalar_type::f32, {cols, rows}, {&input}), expected, 0);
}

bool check_sums() {
  const auto from = random_floats(100'003, 4);
  numbers sums;
  double sum = 0;
  for (const float x : from) sums.push_back(sum += static_cast<double>(x));
  const auto input = float_input({from.size()}, from);
  const bool total = agree("cub_reduce", output_of<float>(cub_reduce, scalar_type::f32, {1}, {&input}), {sum}, 1e-4);
  return agree("cub_scan", output_of<float>(cub_scan, scalar_type::f32, {from.size()}, {&input}), sums, 1e-4) && total;
}

bool check_histogram() {
  const auto from = random_stream(5).uniform<unsigned char>(100'003, 0, 255);
  numbers counts(256);
  for (const unsigned char byte : from) ++counts[byte];
  checked_array input(argument_role::input, scalar_type::u8, 1, {from.size()});
  input.store(from);
  return agree("cub_histogram", output_of<unsigned>(cub_histogram, scalar_type::u32, {256}, {&input}), counts, 0);
}

bool check_transform() {
  const auto a = random_floats(100'003, 6), b = random_floats(100'003, 7);
  numbers copied, added;
  for (std::size_t i = 0; i < a.size(); ++i) {
    copied.push_back(static_cast<double>(a[i]));
    added.push_back(static_cast<double>(a[i] + b[i]));
  }
  const auto first = float_input({a.size()}, a), second = float_input({b.size()}, b);
  const bool one = agree("cub_transform of one array",
                         output_of<float>(cub_transform, scalar_type::f32, {a.size()}, {&first}), copied, 0);
  return agree("cub_transform of two arrays",
               output_of<float>(cub_transform, scalar_type::f32, {a.size()}, {&first, &second}), added, 0) &&
         one;
}

bool check_copy() {
  const auto from = random_floats(1 << 20, 8);
  const auto input = float_input({from.size()}, from);
  checked_array to(argument_role::output, scalar_type::f32, sizeof(float), {from.size()});
  copy_on_device(to.memory->data(), input.memory->data(), to.bytes.size());
  SIMTLAB_CHECKED(cudaDeviceSynchronize());
  return agree("copy", to.values<float>(), {from.begin(), from.end()}, 0);
}

}  // namespace

bool check_libraries() {
  bool right = true;
  for (const auto check : {check_copy, check_product, check_transpose, check_sums, check_histogram, check_transform})
    right = check() && right;
  return right;
}

}  // namespace simtlab
