// The arithmetic of cuBLAS's functions, on memory that was checked (blas_call.h). Matrices lie by columns. Sums are taken in their
// elements' order, in one type; a GPU's order is another, so that last digits may differ.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <vector>

#include "include/simtlab/small_formats.h"

namespace simtlab::emulator::blas {

/// Elements `step` apart. A negative step begins at the last one in memory, as BLAS says.
template <class T>
struct strided_vector {
  T* first;
  std::ptrdiff_t step;
  strided_vector(T* begin, int count, int increment)
      : first(increment < 0 ? begin + static_cast<std::ptrdiff_t>(1 - count) * increment : begin), step(increment) {}
  T& operator[](int i) const { return first[i * step]; }
};

/// `leading` elements from column to column.
template <class T>
struct column_matrix {
  T* first;
  std::ptrdiff_t leading;
  T& operator()(int row, int column) const { return first[column * leading + row]; }
};

/// op(A).
template <class T>
struct operand_matrix {
  column_matrix<const T> of;
  bool is_transposed;
  const T& operator()(int row, int column) const { return is_transposed ? of(column, row) : of(row, column); }
};

struct half_bits {
  std::uint16_t bits;
};
struct bfloat_bits {
  std::uint16_t bits;
};
inline float number(half_bits x) { return half_format::number(x.bits); }
inline float number(bfloat_bits x) { return bfloat_format::number(x.bits); }
template <class T, class = std::enable_if_t<std::is_arithmetic_v<T>>>
T number(T x) {
  return x;
}
template <class T, class Sum>
T rounded(Sum value) {
  if constexpr (std::is_same_v<T, half_bits>)
    return {half_format::bits(static_cast<double>(value))};
  else if constexpr (std::is_same_v<T, bfloat_bits>)
    return {bfloat_format::bits(static_cast<double>(value))};
  else
    return static_cast<T>(value);
}

/// `alpha * sum + beta * old`; what is multiplied with a beta of 0 is not looked at, and may be no number.
template <class Sum, class T>
T combined(Sum alpha, Sum sum, Sum beta, T old) {
  return rounded<T>(beta == Sum{0} ? alpha * sum : alpha * sum + beta * static_cast<Sum>(number(old)));
}

/// C = alpha op(A) op(B) + beta C, for op(A) with `rows` rows and `inner` columns.
template <class In, class Out, class Sum>
void gemm(int rows, int columns, int inner, Sum alpha, operand_matrix<In> a, operand_matrix<In> b, Sum beta,
          column_matrix<Out> c) {
  const auto height = static_cast<std::size_t>(rows);
  std::vector<Sum> packed(height * static_cast<std::size_t>(inner)), sums(height);
  for (int p = 0; p < inner; ++p)
    for (int row = 0; row < rows; ++row)
      packed[static_cast<std::size_t>(p) * height + static_cast<std::size_t>(row)] =
          static_cast<Sum>(number(a(row, p)));
  for (int column = 0; column < columns; ++column) {
    sums.assign(height, Sum{0});
    for (int p = 0; p < inner; ++p) {
      const Sum factor = static_cast<Sum>(number(b(p, column)));
      const Sum* const of_a = packed.data() + static_cast<std::size_t>(p) * height;
      Sum* const to = sums.data();
      for (std::size_t row = 0; row < height; ++row) to[row] += of_a[row] * factor;
    }
    for (int row = 0; row < rows; ++row)
      c(row, column) = combined(alpha, sums[static_cast<std::size_t>(row)], beta, c(row, column));
  }
}

/// C = alpha op(A) op(A)^T + beta C, of one triangle.
template <class T>
void syrk(bool is_lower, int n, int inner, T alpha, operand_matrix<T> a, T beta, column_matrix<T> c) {
  for (int column = 0; column < n; ++column)
    for (int row = is_lower ? column : 0; row < (is_lower ? n : column + 1); ++row) {
      T sum{0};
      for (int p = 0; p < inner; ++p) sum += a(row, p) * a(column, p);
      c(row, column) = combined(alpha, sum, beta, c(row, column));
    }
}

/// Solves op(A) X = alpha B, or X op(A) = alpha B; X comes in B's place. `is_lower` is of op(A).
template <class T>
void trsm(bool is_left, bool is_lower, bool has_unit_diagonal, int rows, int columns, T alpha, operand_matrix<T> a,
          column_matrix<T> b) {
  const int order = is_left ? rows : columns, others = is_left ? columns : rows;
  const bool ascends = is_left == is_lower;
  for (int other = 0; other < others; ++other)
    for (int step = 0; step < order; ++step) {
      const int at = ascends ? step : order - 1 - step;
      T& x = is_left ? b(at, other) : b(other, at);
      T value = alpha * x;
      for (int before = 0; before < step; ++before) {
        const int p = ascends ? before : order - 1 - before;
        value -= is_left ? a(at, p) * b(p, other) : b(other, p) * a(p, at);
      }
      x = has_unit_diagonal ? value : value / a(at, at);
    }
}

/// C = alpha op(A) + beta op(B); a matrix with a factor of 0 is not looked at. C may be A or B, if that one is not transposed.
template <class T>
void geam(int rows, int columns, T alpha, operand_matrix<T> a, T beta, operand_matrix<T> b, column_matrix<T> c) {
  for (int column = 0; column < columns; ++column)
    for (int row = 0; row < rows; ++row) {
      const T of_a = alpha == T{0} ? T{0} : alpha * a(row, column);
      c(row, column) = beta == T{0} ? of_a : of_a + beta * b(row, column);
    }
}

/// y = alpha op(A) x + beta y.
template <class T>
void gemv(int rows, int columns, T alpha, operand_matrix<T> a, strided_vector<const T> x, T beta, strided_vector<T> y) {
  std::vector<T> sums(static_cast<std::size_t>(rows));
  for (int column = 0; column < columns; ++column)
    for (int row = 0; row < rows; ++row) sums[static_cast<std::size_t>(row)] += a(row, column) * x[column];
  for (int row = 0; row < rows; ++row) y[row] = combined(alpha, sums[static_cast<std::size_t>(row)], beta, y[row]);
}

template <class T>
T dot(int n, strided_vector<const T> x, strided_vector<const T> y) {
  T sum{0};
  for (int i = 0; i < n; ++i) sum += x[i] * y[i];
  return sum;
}

/// The square root of the sum of squares, also where a square is too large or too small for a T.
template <class T>
T nrm2(int n, strided_vector<const T> x) {
  T largest{0};
  for (int i = 0; i < n; ++i) largest = std::fmax(largest, std::fabs(x[i]));
  if (largest == T{0} || !std::isfinite(largest)) return largest;
  T sum{0};
  for (int i = 0; i < n; ++i) sum += (x[i] / largest) * (x[i] / largest);
  return largest * std::sqrt(sum);
}

template <class T>
T asum(int n, strided_vector<const T> x) {
  T sum{0};
  for (int i = 0; i < n; ++i) sum += std::fabs(x[i]);
  return sum;
}

/// Of the elements' magnitudes the first largest or smallest, counted from 1 (as Fortran does).
template <class T>
int extreme(bool is_largest, int n, strided_vector<const T> x) {
  int best = 0;
  for (int i = 1; i < n; ++i) {
    const T one = std::fabs(x[i]), other = std::fabs(x[best]);
    if (is_largest ? one > other : one < other) best = i;
  }
  return best + 1;
}

}  // namespace simtlab::emulator::blas
