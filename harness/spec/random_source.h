// Random inputs, the same on every platform and compiler, and reproducible from a seed alone.
//
// Algorithm (fixed for good, tests hold golden values): a stream is splitmix64. It starts at
// the 64-bit FNV-1a hash of the case's name and of the argument's name, mixed with the seed by splitmix64's finaliser.
// Integers come from the high bits by rejection, floating-point numbers from the top 24 (float) or 53 (double) bits
// through one fused multiply-add, which every platform rounds alike. Nothing of <random> is used: its distributions
// differ between standard libraries.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

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

  /// `count` numbers: floating-point in [low, high), integers in [low, high] with both ends.
  template <arithmetic T>
  std::vector<T> uniform(std::integral auto count, std::type_identity_t<T> low, std::type_identity_t<T> high) {
    std::vector<T> numbers(static_cast<std::size_t>(count));
    for (T& number : numbers) {
      if constexpr (std::is_same_v<T, float>)
        number = uniform_float(low, high);
      else if constexpr (std::is_same_v<T, double>)
        number = uniform_double(low, high);
      else
        number = static_cast<T>(static_cast<std::uint64_t>(low) + offset_in(low, high));
    }
    return numbers;
  }
  /// Floating-point numbers in [-1, 1).
  template <std::floating_point T>
  std::vector<T> uniform(std::integral auto count) {
    return uniform<T>(count, T(-1), T(1));
  }

 private:
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
