// Random inputs, the same on every platform and compiler, and reproducible from a seed alone.
//
// Algorithm (fixed for good, tests hold golden values): a stream is splitmix64. It starts at
// the 64-bit FNV-1a hash of the case's name and of the argument's name, mixed with the seed by splitmix64's finaliser.
// Integers come from the high bits by rejection, floating-point numbers from the top 24 (float) or 53 (double) bits
// through one fused multiply-add, which every platform rounds alike. Nothing of <random> is used: its distributions
// differ between standard libraries.
#pragma once

#include <atomic>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "spec/pieces.h"

namespace simtlab {

template <class T>
concept arithmetic = std::is_arithmetic_v<T>;

/// An endless sequence of random numbers (splitmix64).
class random_stream {
 public:
  explicit random_stream(std::uint64_t state) : state_(state) {}

  std::uint64_t next();                            ///< 64 uniform bits
  std::uint64_t below(std::uint64_t bound);        ///< 0 … bound − 1 without bias; `bound` must not be 0
  float uniform_float(float low, float high);      ///< [low, high), 2^24 steps
  double uniform_double(double low, double high);  ///< [low, high), 2^53 steps

  /// The stream behind the next `numbers` that this one would give: splitmix64 counts.
  [[nodiscard]] random_stream behind(std::uint64_t numbers) const { return random_stream(state_ + numbers * step); }

  /// `count` numbers: floating-point in [low, high), integers in [low, high] with both ends. The same numbers however
  /// many cores share the work.
  template <arithmetic T>
  std::vector<T> uniform(std::integral auto count, std::type_identity_t<T> low, std::type_identity_t<T> high) {
    std::vector<T> numbers(static_cast<std::size_t>(count));
    const random_stream begin = *this;
    if constexpr (std::is_floating_point_v<T>) {
      in_pieces(numbers.size(), [&](std::size_t from, std::size_t to) {
        random_stream piece = begin.behind(from);
        for (std::size_t i = from; i < to; ++i) {
          if constexpr (std::is_same_v<T, float>)
            numbers[i] = piece.uniform_float(low, high);
          else
            numbers[i] = piece.uniform_double(low, high);
        }
      });
      *this = begin.behind(numbers.size());
    } else if (!fill_with_integers(numbers, low, high)) {  // a number was refused: only in order is known what follows
      *this = begin;
      for (T& number : numbers) number = static_cast<T>(static_cast<std::uint64_t>(low) + offset_in(low, high));
    }
    return numbers;
  }
  /// Floating-point numbers in [-1, 1).
  template <std::floating_point T>
  std::vector<T> uniform(std::integral auto count) {
    return uniform<T>(count, T(-1), T(1));
  }

 private:
  static constexpr std::uint64_t step = 0x9e3779b97f4a7c15;

  // False where `below` would have refused a number and drawn another.
  template <class T>
  bool fill_with_integers(std::vector<T>& numbers, T low, T high) {
    const std::uint64_t bound =
        static_cast<std::uint64_t>(high) - static_cast<std::uint64_t>(low) + 1;  // 0: all of 2^64
    const std::uint64_t leftover = bound == 0 ? 0 : (0 - bound) % bound;
    const bool is_power = (bound & (bound - 1)) == 0;
    const random_stream begin = *this;
    std::atomic<bool> refused = false;
    in_pieces(numbers.size(), [&](std::size_t from, std::size_t to) {
      random_stream piece = begin.behind(from);
      for (std::size_t i = from; i < to; ++i) {
        const std::uint64_t bits = piece.next();
        if (bits < leftover) refused = true;
        numbers[i] = static_cast<T>(static_cast<std::uint64_t>(low) + (is_power ? bits & (bound - 1) : bits % bound));
      }
    });
    *this = begin.behind(numbers.size());
    return !refused;
  }
  template <class T>
  std::uint64_t offset_in(T low, T high) {
    const auto span = static_cast<std::uint64_t>(high) - static_cast<std::uint64_t>(low);
    return span == ~std::uint64_t{0} ? next() : below(span + 1);
  }
  std::uint64_t state_;
};

/// One independent stream per (seed, case, argument): `random["input"].uniform<float>(n)`. The same name gives the same
/// stream again, so the order in which a compiler evaluates arguments does not matter.
class random_source {
 public:
  random_source(std::uint64_t seed, std::string_view case_name) : seed_(seed), case_name_(case_name) {}
  [[nodiscard]] random_stream operator[](std::string_view argument) const;

 private:
  std::uint64_t seed_;
  std::string case_name_;
};

}  // namespace simtlab
