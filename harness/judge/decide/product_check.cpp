#include "judge/decide/product_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <random>

#include "judge/decide/product_proof.h"
#include "protocol/request.h"

namespace simtlab {
namespace {

std::size_t index_of(const lab& of, const std::string& name) {
  const auto found = std::ranges::find(of.arguments, name, &argument_description::name);
  if (found == of.arguments.end() || found->scalar != scalar_type::f32 || !is_array(found->role))
    throw specification_error(
        fmt::format("product_of(...) in lab.cpp names \"{}\", which is no array of float among .parameters", name));
  return static_cast<std::size_t>(found - of.arguments.begin());
}

// operator new aligns the bytes for float.
std::span<const float> floats(const std::vector<std::byte>& bytes) {
  return {reinterpret_cast<const float*>(bytes.data()), bytes.size() / sizeof(float)};
}

matrix_view view_of(const argument_value& value, const std::vector<std::byte>& bytes) {
  if (value.extents.size() != 2)
    throw specification_error(
        "product_of(...) in lab.cpp needs matrices: give both extents, shaped(..., rows, columns)");
  return {floats(bytes), value.extents[0], value.extents[1]};
}

// Row after row, of a matrix whose values stand column after column.
std::vector<float> by_rows(const matrix_view& m) {
  std::vector<float> turned(m.values.size());
  for (std::size_t column = 0; column < m.columns; ++column)
    for (std::size_t row = 0; row < m.rows; ++row) turned[row * m.columns + column] = m.values[column * m.rows + row];
  return turned;
}

// From the operating system: a submission's values must not tell the signs.
random_stream unpredictable_signs() {
  std::random_device device;
  return random_stream(std::uint64_t{device()} << 32 | device());
}

mismatch wrong_row(const std::string& name, const matrix_view& a, const matrix_view& b, const matrix_view& c,
                   std::size_t row, double condition) {
  mismatch found;
  found.argument = name;
  found.total = c.values.size();
  wrong_element worst;
  for (std::size_t column = 0; column < c.columns; ++column) {
    double sum = 0, magnitude = 0;
    for (std::size_t p = 0; p < a.columns; ++p) {
      const double term =
          static_cast<double>(a.values[row * a.columns + p]) * static_cast<double>(b.values[p * b.columns + column]);
      sum += term;
      magnitude += std::fabs(term);
    }
    const float actual = c.values[row * c.columns + column];
    unsigned bits = 0;
    std::memcpy(&bits, &actual, sizeof bits);
    const wrong_element w{{row, column}, sum, static_cast<double>(actual), bits == ~0U};
    const double error = std::fabs(w.actual - sum);
    if (!(error <= std::fabs(worst.actual - worst.expected)) || worst.index.empty()) worst = w;
    if (error <= condition * magnitude) continue;
    ++found.wrong;
    if (w.never_written) ++found.never_written;
    if (found.lowest.empty()) found.lowest = w.index;
    found.highest = w.index;
    if (std::isfinite(error)) found.largest_error = std::max(found.largest_error, error);
    if (found.first.size() < most_shown) found.first.push_back(w);
  }
  if (found.first.empty()) {  // many small errors, none of them large by itself
    found.wrong = c.columns;
    found.first.push_back(worst);
    found.lowest = {row, 0};
    found.highest = {row, c.columns - 1};
  }
  return found;
}

}  // namespace

bool is_stored_by_columns(const lab& of, const std::string& argument) {
  return of.proof && of.proof->right_by_columns && of.proof->right == argument;
}

std::optional<mismatch> disproved(const lab& of, const product_claim& claim, const tolerance& allowed,
                                  const std::vector<argument_value>& values,
                                  const std::vector<std::vector<std::byte>>& actual) {
  const std::size_t left = index_of(of, claim.left), right = index_of(of, claim.right),
                    product = index_of(of, claim.product);
  const matrix_view a = view_of(values[left], values[left].bytes), c = view_of(values[product], actual[product]);
  matrix_view b = view_of(values[right], values[right].bytes);
  std::vector<float> turned;
  if (claim.right_by_columns) b.values = turned = by_rows(b);
  if (a.columns != b.rows || c.rows != a.rows || c.columns != b.columns || !allowed.needs_magnitude())
    throw specification_error("product_of(...) in lab.cpp: extents or .tolerance (sum_of_products) are no product's");
  const auto row = first_wrong_row(a, b, c, allowed.condition, unpredictable_signs());
  if (!row) return std::nullopt;
  return wrong_row(claim.product, a, b, c, *row, allowed.condition);
}

}  // namespace simtlab
