// A product whose input is read in another way is told by that way, on random sizes; noise is told by nothing.
#include "judge/decide/input_reading.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <random>

#include "emulator/tests/has.h"
#include "judge/decide/comparison.h"
#include "tests/as_bytes.h"

using namespace simtlab;

namespace input_reading_test {  // other tests have helpers of the same names

namespace {

constexpr unsigned seed = 16;
constexpr std::size_t tile = 16;

float* floats(argument_value& v) { return reinterpret_cast<float*>(v.bytes.data()); }

/// c (j × l) = a (j × k) · b (k × l), and whether b is stored column after column.
lab product(const std::optional<product_claim>& proof = std::nullopt) {
  lab of;
  of.proof = proof;
  const bool by_columns = proof && proof->right_by_columns;
  of.arguments = {{"a", argument_role::input, scalar_type::f32, 1, 4},
                  {"b", argument_role::input, scalar_type::f32, 1, 4},
                  {"c", argument_role::output, scalar_type::f32, 1, 4}};
  of.run_reference = [by_columns](std::vector<argument_value>& v) {
    const std::size_t j = v[0].extents[0], k = v[0].extents[1], l = v[1].extents[1];
    for (std::size_t row = 0; row < j; ++row)
      for (std::size_t col = 0; col < l; ++col) {
        double sum = 0;
        for (std::size_t p = 0; p < k; ++p)
          sum += static_cast<double>(floats(v[0])[row * k + p]) *
                 static_cast<double>(floats(v[1])[by_columns ? col * k + p : p * l + col]);
        floats(v[2])[row * l + col] = static_cast<float>(sum);
      }
  };
  of.model = [](const test_case& c) { return work{.bytes_read = 0, .bytes_written = 0, .operations = 1.0 * c["k"]}; };
  return of;
}

class sample {
 public:
  explicit sample(unsigned n) : random_(n) {}
  std::size_t number(std::size_t from, std::size_t to) {
    return std::uniform_int_distribution<std::size_t>(from, to)(random_);
  }
  argument_value matrix(std::size_t rows, std::size_t cols) {
    std::vector<float> values(rows * cols);
    for (float& v : values) v = std::uniform_real_distribution<float>(-1, 1)(random_);
    return {as_bytes(values), {rows, cols}};
  }

 private:
  std::mt19937 random_;
};

std::vector<launch_counters> launched_in_tiles() {
  launch_counters l;
  l.grid = {4, 4, 1};
  l.block = {tile, tile, 1};
  return {l};
}

/// What is said of the output `found` for these inputs.
std::string said(const std::vector<argument_value>& inputs, const std::vector<double>& found,
                 const lab& of = product()) {
  std::vector<argument_value> right = inputs;
  of.run_reference(right);
  output_values output{"c", right[2].extents, numbers_of(right[2].bytes, scalar_type::f32), found, {}, {}, false};
  for (std::size_t i = 0; i < found.size(); ++i) {
    output.wrong.push_back(!is_close(found[i], output.expected[i], 1, false));
    output.unwritten.push_back(false);
  }
  const test_case c("random", {{"j", static_cast<int>(inputs[0].extents[0])},
                               {"k", static_cast<int>(inputs[0].extents[1])},
                               {"l", static_cast<int>(inputs[1].extents[1])}});
  std::string all;
  for (const explanation& e : misread_input(of, c, inputs, 2, output, launched_in_tiles())) all += e.says + "\n";
  return all;
}

std::vector<argument_value> random_inputs(sample& random, std::size_t k) {
  const std::size_t j = random.number(5, 40), l = random.number(5, 40);
  return {random.matrix(j, k), random.matrix(k, l), {std::vector<std::byte>(j * l * 4), {j, l}}};
}

/// The output with input `which` replaced by what `taken` makes of it.
template <class Taken>
std::string said_if(const std::vector<argument_value>& inputs, std::size_t which, Taken taken,
                    const lab& of = product()) {
  std::vector<argument_value> wrong = inputs;
  for (std::size_t i = 0; i < inputs[which].extents[0] * inputs[which].extents[1]; ++i)
    floats(wrong[which])[i] = taken(i);
  of.run_reference(wrong);
  return said(inputs, numbers_of(wrong[2].bytes, scalar_type::f32), of);
}

}  // namespace

TEST_CASE("an input read transposed, with another row length, or rounded down") {
  sample random(seed);
  for (int round = 0; round < 40; ++round) {
    const std::size_t k = tile * random.number(1, 3) + random.number(1, tile - 1);
    std::vector<argument_value> inputs = random_inputs(random, k);
    const std::size_t j = inputs[0].extents[0], l = inputs[1].extents[1];
    const float *a = floats(inputs[0]), *b = floats(inputs[1]);
    CAPTURE(round);
    if (k != l) CHECK(has(said_if(inputs, 1, [&](std::size_t i) { return b[i % l * k + i / l]; }), "b transposed"));
    if (l < k)
      CHECK(has(said_if(inputs, 0, [&](std::size_t i) { return a[i / k * l + i % k]; }),
                "rows of a are taken to be " + std::to_string(l)));
    const std::string rounded =
        said_if(inputs, 0, [&](std::size_t i) { return i % k < k / tile * tile ? a[i] : 0.0F; });
    CHECK(has(rounded, "k / 16 rounds down"));
    CHECK(has(rounded, "first " + std::to_string(k / tile * tile)));
    if (j == l) continue;
    CHECK(has(said_if(inputs, 0, [&](std::size_t i) { return a[i / k * k + i % k % tile]; }),
              "first 16 columns of a again"));
  }
}

TEST_CASE("of an operand stored column after column the index named is its own") {
  const lab of = product(product_of("a", by_columns("b"), "c"));
  sample random(seed);
  for (int round = 0; round < 5; ++round) {
    const std::size_t j = tile + random.number(1, 9), k = j + 2 + random.number(1, 9), l = k + 2 + random.number(1, 9);
    const std::vector<argument_value> inputs{
        random.matrix(j, k), random.matrix(k, l), {std::vector<std::byte>(j * l * 4), {j, l}}};
    std::vector<argument_value> given = inputs;
    const float* b = floats(given[1]);
    CAPTURE(round);
    CHECK(said_if(
              inputs, 1, [&](std::size_t i) { return b[i % k * l + i / k]; }, of) ==
          "This is what comes out if b is read row after row. b is stored column after column: the index should be "
          "b[column * k + row] with k = " +
              std::to_string(k) + ".\n");
    CHECK(has(said_if(
                  inputs, 1, [&](std::size_t i) { return b[i / k * j + i % k]; }, of),
              "if the columns of b are taken to be " + std::to_string(j) + " (j) elements long. A column of b has " +
                  std::to_string(k) + " (k) elements: the index should be b[column * k + row]."));
    CHECK(has(said_if(
                  inputs, 1, [&](std::size_t i) { return i % k < tile ? b[i] : 0.0F; }, of),
              "only the first 16 of the " + std::to_string(k) + " (k) rows of b count"));
    CHECK(has(said_if(
                  inputs, 1, [&](std::size_t i) { return b[i / k * k + i % k % tile]; }, of),
              "each phase takes the first 16 rows of b again"));
  }
}

TEST_CASE("where all sizes are equal the index has their number") {
  sample random(seed);
  std::vector<argument_value> inputs{
      random.matrix(tile, tile), random.matrix(tile, tile), {std::vector<std::byte>(tile * tile * 4), {tile, tile}}};
  const float* b = floats(inputs[1]);
  const auto turned = [&](std::size_t i) { return b[i % tile * tile + i / tile]; };
  CHECK(has(said_if(inputs, 1, turned), "should be b[row * 16 + column].\n"));
  CHECK(has(said_if(inputs, 1, turned, product(product_of("a", by_columns("b"), "c"))),
            "should be b[column * 16 + row].\n"));
}

TEST_CASE("where the lab claims a product, the block's number is told from the phase's") {
  sample random(seed);
  for (int round = 0; round < 5; ++round) {
    const std::size_t j = tile + random.number(1, 9), k = j + 2 + random.number(1, 9), l = k + 2 + random.number(1, 9);
    std::vector<argument_value> inputs{
        random.matrix(j, k), random.matrix(k, l), {std::vector<std::byte>(j * l * 4), {j, l}}};
    const float *a = floats(inputs[0]), *b = floats(inputs[1]);
    const lab by_rows = product(product_of("a", "b", "c")), turned = product(product_of("a", by_columns("b"), "c"));
    const std::string of_b =
        "This is what comes out if each block takes the first 16 columns of b: its index needs blockIdx.\n";
    CAPTURE(round);
    CHECK(said_if(
              inputs, 1, [&](std::size_t i) { return b[i / l * l + i % l % tile]; }, by_rows) == of_b);
    CHECK(said_if(
              inputs, 1, [&](std::size_t i) { return b[i / k % tile * k + i % k]; }, turned) == of_b);
    CHECK(said_if(
              inputs, 0, [&](std::size_t i) { return a[i / k % tile * k + i % k]; }, turned) ==
          "This is what comes out if each block takes the first 16 rows of a: its index needs blockIdx.\n");
    CHECK(
        said_if(
            inputs, 0, [&](std::size_t i) { return a[i / k * k + i % k % tile]; }, turned) ==
        "This is what comes out if each phase takes the first 16 columns of a again: its index must have the phase in "
        "it.\n");
  }
}

TEST_CASE("where the lab claims a product, an operand taken by the block's other number is told") {
  sample random(seed);
  for (int round = 0; round < 5; ++round) {
    const std::size_t k = random.number(5, 40), j = 2 * tile + random.number(1, 9), l = tile + random.number(1, 30);
    std::vector<argument_value> inputs{
        random.matrix(j, k), random.matrix(k, l), {std::vector<std::byte>(j * l * 4), {j, l}}};
    const lab of = product(product_of("a", by_columns("b"), "c"));
    std::vector<argument_value> right = inputs;
    of.run_reference(right);
    const auto found = [&](bool of_b) {
      std::vector<double> values(j * l);
      for (std::size_t row = 0; row < j; ++row)
        for (std::size_t col = 0; col < l; ++col) {
          const std::size_t from_row = of_b ? row : col / tile * tile + row % tile;
          const std::size_t from_col = of_b ? row / tile * tile + col % tile : col;
          if (from_row < j && from_col < l)
            values[row * l + col] = static_cast<double>(floats(right[2])[from_row * l + from_col]);
        }
      return values;
    };
    CAPTURE(round);
    CHECK(said(inputs, found(true), of) ==
          "This is what comes out if each block takes its columns of b by the block's other number, as with blockIdx.y "
          "for blockIdx.x.\n");
    CHECK(
        said(inputs, found(false), of) ==
        "This is what comes out if each block takes its rows of a by the block's other number, as with blockIdx.x for "
        "blockIdx.y.\n");
    CHECK(said(inputs, found(true), product()).empty());
  }
}

TEST_CASE("nothing is said of noise") {
  sample random(seed);
  for (int round = 0; round < 60; ++round) {
    const std::vector<argument_value> inputs = random_inputs(random, random.number(2, 50));
    std::vector<argument_value> noise{random.matrix(inputs[2].extents[0], inputs[2].extents[1])};
    CHECK(said(inputs, numbers_of(noise[0].bytes, scalar_type::f32)).empty());
    CHECK(said(inputs, numbers_of(noise[0].bytes, scalar_type::f32), product(product_of("a", by_columns("b"), "c")))
              .empty());
  }
}

TEST_CASE("a maximum of negative values that is zero started from zero, and tells nothing about what was left out") {
  lab of;
  of.arguments = {{"values", argument_role::input, scalar_type::f32, 1, 4},
                  {"largest", argument_role::output, scalar_type::f32, 1, 4}};
  of.run_reference = [](std::vector<argument_value>& v) {
    const float* values = floats(v[0]);
    floats(v[1])[0] = *std::max_element(values, values + v[0].extents.back());
  };
  of.model = [](const test_case& c) { return work{.bytes_read = 0, .bytes_written = 0, .operations = 1.0 * c["n"]}; };
  std::vector<float> values(19);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = -1.0F - static_cast<float>(i);
  const std::vector<argument_value> inputs{{as_bytes(values), {19}}, {std::vector<std::byte>(4), {1}}};
  const output_values output{"largest", {1}, {-1}, {0}, {true}, {false}, false};
  const auto all = misread_input(of, test_case("less than a warp", {{"n", 19}}), inputs, 1, output, {});
  REQUIRE(all.size() == 1);
  CHECK(all[0].cause == "start value");
  CHECK(has(all[0].says, "every element of values is smaller"));
}

}  // namespace input_reading_test
