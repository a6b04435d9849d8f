#include "judge/decide/product_proof.h"

#include <cmath>
#include <vector>

#include "spec/pieces.h"

namespace simtlab {
namespace {

std::vector<double> times(const matrix_view& m, const std::vector<double>& x) {
  std::vector<double> y(m.rows);
  const auto multiply = [&](std::size_t begin, std::size_t end) {
    for (std::size_t r = begin; r < end; ++r) {
      const float* row = m.values.data() + r * m.columns;
      double sums[4] = {};  // four chains: an addition takes four cycles
      std::size_t c = 0;
      for (; c + 4 <= m.columns; c += 4)
        for (std::size_t i = 0; i < 4; ++i) sums[i] += static_cast<double>(row[c + i]) * x[c + i];
      for (; c < m.columns; ++c) sums[0] += static_cast<double>(row[c]) * x[c];
      y[r] = sums[0] + sums[1] + sums[2] + sums[3];
    }
  };
  in_pieces(m.rows, multiply, m.values.size());
  return y;
}

double squares(std::span<const float> values) {
  double sum = 0;
  for (const float v : values) sum += static_cast<double>(v) * static_cast<double>(v);
  return sum;
}

}  // namespace

std::optional<std::size_t> first_wrong_row(const matrix_view& left, const matrix_view& right,
                                           const matrix_view& product, double condition, random_stream signs,
                                           unsigned rounds) {
  const double right_norm = std::sqrt(squares(right.values));
  std::vector<double> bounds(left.rows);
  for (std::size_t r = 0; r < left.rows; ++r)
    bounds[r] = condition * std::sqrt(squares(left.values.subspan(r * left.columns, left.columns))) * right_norm;
  std::optional<std::size_t> wrong;
  std::vector<double> x(product.columns);
  for (unsigned round = 0; round < rounds && wrong != std::size_t{0}; ++round) {
    std::uint64_t bits = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
      if (i % 64 == 0) bits = signs.next();
      x[i] = (bits >> (i % 64) & 1) != 0 ? 1 : -1;
    }
    const std::vector<double> claimed = times(product, x), computed = times(left, times(right, x));
    for (std::size_t r = 0; r < wrong.value_or(product.rows); ++r)
      if (!(std::fabs(claimed[r] - computed[r]) <= bounds[r])) wrong = r;
  }
  return wrong;
}

}  // namespace simtlab
