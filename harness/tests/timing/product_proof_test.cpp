// Freivalds' check: right products pass, wrong and imprecise ones don't.
#include "judge/decide/product_proof.h"

#include <doctest/doctest.h>

#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <limits>
#include <random>

#include "judge/decide/product_check.h"
#include "judge/gpu/gpu_lock.h"
#include "spec/tolerance.h"

using namespace simtlab;

namespace {

constexpr std::size_t j = 120, k = 192, l = 160;
const double condition = sum_of_products(k).condition;

struct matrices {
  std::vector<float> a, b, c;

  explicit matrices(float (*rounded)(float) = [](float x) { return x; }) {
    random_stream random(11);
    a = random.uniform<float>(j * k);
    b = random.uniform<float>(k * l);
    c.resize(j * l);
    for (std::size_t r = 0; r < j; ++r)
      for (std::size_t p = 0; p < k; ++p)
        for (std::size_t s = 0; s < l; ++s) c[r * l + s] += rounded(a[r * k + p]) * rounded(b[p * l + s]);
  }
  [[nodiscard]] std::optional<std::size_t> wrong_row(std::uint64_t seed = 5, unsigned rounds = proof_rounds) const {
    return first_wrong_row({a, j, k}, {b, k, l}, {c, j, l}, condition, random_stream(seed), rounds);
  }
};

// Keeps so many bits behind the point.
template <unsigned Bits>
float cut(float x) {
  std::uint32_t bits = 0;
  std::memcpy(&bits, &x, sizeof bits);
  bits = (bits + (1U << (22 - Bits))) & ~((1U << (23 - Bits)) - 1);
  std::memcpy(&x, &bits, sizeof x);
  return x;
}

}  // namespace

TEST_CASE("a single-precision product passes, whatever the signs") {
  const matrices m;
  for (std::uint64_t seed = 0; seed < 20; ++seed) CHECK(!m.wrong_row(seed));
}

TEST_CASE("one wrong element is found, whichever it is, and its row named") {
  matrices m;
  for (const std::size_t at : {std::size_t{0}, std::size_t{7 * l + 3}, j * l - 1}) {
    const float before = m.c[at];
    m.c[at] += 0.5f;
    CHECK(m.wrong_row() == at / l);
    m.c[at] = before;
  }
}

TEST_CASE("one round misses wrong elements that cancel as often as is said, and no more") {
  matrices m;
  m.c[3] += 1;
  m.c[4] += 1;
  int missed = 0;
  for (std::uint64_t seed = 0; seed < 400; ++seed) missed += m.wrong_row(seed, 1) ? 0 : 1;
  CHECK(missed > 150);  // the signs differ in half of the rounds
  CHECK(missed < 250);
  CHECK(m.wrong_row() == 0);
}

TEST_CASE("operands of half precision, TF32 or bfloat16 are found") {
  CHECK(matrices(cut<10>).wrong_row());
  CHECK(matrices(cut<7>).wrong_row());
}

TEST_CASE("an unwritten or undefined element is found") {
  matrices m;
  m.c[5 * l] = std::numeric_limits<float>::quiet_NaN();
  CHECK(m.wrong_row() == 5);
}

TEST_CASE("a disproved product is told as wrong elements of a row") {
  matrices m;
  m.c[7 * l + 3] = 100;
  lab of;
  of.arguments = {{"a", argument_role::input, scalar_type::f32, 1, 4},
                  {"b", argument_role::input, scalar_type::f32, 1, 4},
                  {"c", argument_role::output, scalar_type::f32, 1, 4}};
  const auto bytes = [](const std::vector<float>& v) {
    std::vector<std::byte> made(v.size() * sizeof(float));
    std::memcpy(made.data(), v.data(), made.size());
    return made;
  };
  const std::vector<argument_value> values{
      {bytes(m.a), {j, k}}, {bytes(m.b), {k, l}}, {std::vector<std::byte>(j * l * 4), {j, l}}};
  const product_claim claim = product_of("a", "b", "c");
  const auto wrong = disproved(of, claim, sum_of_products(k), values, {{}, {}, bytes(m.c)});
  REQUIRE(wrong);
  CHECK(wrong->argument == "c");
  CHECK(wrong->wrong == 1);
  CHECK(wrong->first.at(0).index == std::vector<std::size_t>{7, 3});
  CHECK(wrong->first.at(0).actual == 100);
  CHECK(!disproved(of, claim, sum_of_products(k), values, {{}, {}, bytes(matrices().c)}));
  CHECK_THROWS_WITH_AS(
      static_cast<void>(disproved(of, product_of("a", "x", "c"), sum_of_products(k), values, {{}, {}, bytes(m.c)})),
      doctest::Contains("\"x\""), specification_error);
}

TEST_CASE("a right operand that is stored column after column is taken as such") {
  const matrices m;
  std::vector<float> columns(k * l);
  for (std::size_t p = 0; p < k; ++p)
    for (std::size_t s = 0; s < l; ++s) columns[s * k + p] = m.b[p * l + s];
  lab of;
  of.arguments = {{"m", argument_role::input, scalar_type::f32, 1, 4},
                  {"n", argument_role::input, scalar_type::f32, 1, 4},
                  {"p", argument_role::output, scalar_type::f32, 1, 4}};
  const auto bytes = [](const std::vector<float>& v) {
    const auto all = std::as_bytes(std::span(v));
    return std::vector<std::byte>(all.begin(), all.end());
  };
  const std::vector<argument_value> values{
      {bytes(m.a), {j, k}}, {bytes(columns), {k, l}}, {std::vector<std::byte>(j * l * 4), {j, l}}};
  const auto wrong = [&](const product_claim& claim, const std::vector<float>& product) {
    return disproved(of, claim, sum_of_products(k), values, {{}, {}, bytes(product)}).has_value();
  };
  CHECK(!wrong(product_of("m", by_columns("n"), "p"), m.c));
  CHECK(wrong(product_of("m", "n", "p"), m.c));
  std::vector<float> other = m.c;
  other[5] += 0.5f;
  CHECK(wrong(product_of("m", by_columns("n"), "p"), other));
}

TEST_CASE("one timed measurement at a time; a lock's holder that ends gives it up") {
  const std::string gpu = "test-" + std::to_string(std::random_device()());
  using use = gpu_lock::use;
  const std::chrono::milliseconds soon(30);
  {
    const gpu_lock first(use::shared, gpu, soon), second(use::shared, gpu, soon);
    CHECK(first.granted());
    CHECK(second.granted());
    CHECK(!gpu_lock(use::alone, gpu, soon).granted());
  }
  {
    const gpu_lock alone(use::alone, gpu, soon);
    CHECK(alone.granted());
    CHECK(!gpu_lock(use::shared, gpu, soon).granted());
    CHECK(!gpu_lock(use::alone, gpu, soon).granted());
  }
  CHECK(gpu_lock(use::alone, gpu, soon).granted());
  {
    const gpu_lock alone(use::alone, gpu, soon);
    const char* before = std::getenv("TMPDIR");
    const std::string kept = before == nullptr ? "" : before;
    setenv("TMPDIR", "/var/tmp", 1);  // the grader gives each judge a folder of its own
    CHECK(!gpu_lock(use::alone, gpu, soon).granted());
    before == nullptr ? unsetenv("TMPDIR") : setenv("TMPDIR", kept.c_str(), 1);
  }
  for (const char* part : {"queue", "room"}) std::filesystem::remove("/tmp/simtlab-gpu-" + gpu + "." + part);
}
