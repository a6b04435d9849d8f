// Engines and distributions of random numbers, for host and device code: those of the C++ standard with Thrust's names.
//
// Engines follow the standard's recurrences ([rand.eng]), so that their numbers are those of every implementation. The standard leaves
// distributions open: a uniform number is (x - min) / (max - min + 1) of one draw, scaled; a normal one is made of two draws by
// Box and Muller.
#pragma once
#ifndef __clang__  // ../device_functions.h
#pragma GCC system_header
#endif

#include <math.h>
#include <stdint.h>

#include <limits>

#include "detail/config.h"

namespace thrust {
namespace random {

/// x -> (a * x + c) mod m
template <class Type, Type Multiplier, Type Increment, Type Modulus>
class linear_congruential_engine {
 public:
  using result_type = Type;
  static constexpr Type multiplier = Multiplier, increment = Increment, modulus = Modulus, min = Increment == 0 ? 1 : 0,
                        max = Modulus - 1, default_seed = 1;

  SIMTLAB_THRUST explicit linear_congruential_engine(Type value = default_seed) { seed(value); }
  SIMTLAB_THRUST void seed(Type value = default_seed) {
    x_ = Modulus == 0 ? value : value % Modulus;
    if (Increment == 0 && x_ == 0) x_ = 1;
  }
  SIMTLAB_THRUST Type operator()() {
    x_ = static_cast<Type>((static_cast<uint64_t>(Multiplier) * x_ + Increment) % Modulus);
    return x_;
  }
  /// As so many draws would do: x -> a^n * x + c * (a^(n-1) + ... + 1).
  SIMTLAB_THRUST void discard(unsigned long long draws) {
    uint64_t factor = Multiplier, summand = Increment, whole_factor = 1, whole_summand = 0;
    for (; draws > 0; draws /= 2) {
      if (draws % 2 == 1) {
        whole_factor = whole_factor * factor % Modulus;
        whole_summand = (whole_summand * factor + summand) % Modulus;
      }
      summand = summand * (factor + 1) % Modulus;
      factor = factor * factor % Modulus;
    }
    x_ = static_cast<Type>((whole_factor * x_ + whole_summand) % Modulus);
  }
  SIMTLAB_THRUST bool operator==(const linear_congruential_engine& other) const { return x_ == other.x_; }
  SIMTLAB_THRUST bool operator!=(const linear_congruential_engine& other) const { return x_ != other.x_; }

 private:
  Type x_;
};
using minstd_rand0 = linear_congruential_engine<uint32_t, 16807, 0, 2147483647>;
using minstd_rand = linear_congruential_engine<uint32_t, 48271, 0, 2147483647>;
using default_random_engine = minstd_rand;

/// One draw as a number from 0 on; 1 is not reached but by rounding.
template <class Real, class Engine>
SIMTLAB_THRUST Real unit_of(Engine& engine) {
  const auto draw = static_cast<Real>(engine() - Engine::min);
  return draw / (Real(1) + static_cast<Real>(Engine::max - Engine::min));
}

template <class Real = double>
class uniform_real_distribution {
 public:
  using result_type = Real;
  SIMTLAB_THRUST explicit uniform_real_distribution(Real a = 0, Real b = 1) : a_(a), b_(b) {}
  template <class Engine>
  SIMTLAB_THRUST Real operator()(Engine& engine) {
    return unit_of<Real>(engine) * (b_ - a_) + a_;
  }
  SIMTLAB_THRUST void reset() {}
  SIMTLAB_THRUST Real a() const { return a_; }
  SIMTLAB_THRUST Real b() const { return b_; }
  SIMTLAB_THRUST Real min() const { return a_; }
  SIMTLAB_THRUST Real max() const { return b_; }

 private:
  Real a_, b_;
};

template <class Whole = int>
class uniform_int_distribution {
 public:
  using result_type = Whole;
  SIMTLAB_THRUST explicit uniform_int_distribution(Whole a = 0, Whole b = std::numeric_limits<Whole>::max())
      : a_(a), b_(b) {}
  template <class Engine>
  SIMTLAB_THRUST Whole operator()(Engine& engine) {
    const double places = static_cast<double>(b_) - static_cast<double>(a_) + 1;
    return static_cast<Whole>(static_cast<double>(a_) + unit_of<double>(engine) * places);
  }
  SIMTLAB_THRUST void reset() {}
  SIMTLAB_THRUST Whole a() const { return a_; }
  SIMTLAB_THRUST Whole b() const { return b_; }
  SIMTLAB_THRUST Whole min() const { return a_; }
  SIMTLAB_THRUST Whole max() const { return b_; }

 private:
  Whole a_, b_;
};

template <class Real = double>
class normal_distribution {
 public:
  using result_type = Real;
  SIMTLAB_THRUST explicit normal_distribution(Real mean = 0, Real deviation = 1) : mean_(mean), deviation_(deviation) {}
  template <class Engine>
  SIMTLAB_THRUST Real operator()(Engine& engine) {
    const double radius = sqrt(-2 * log(1 - unit_of<double>(engine)));
    return static_cast<Real>(radius * cos(6.283185307179586477 * unit_of<double>(engine))) * deviation_ + mean_;
  }
  SIMTLAB_THRUST void reset() {}
  SIMTLAB_THRUST Real mean() const { return mean_; }
  SIMTLAB_THRUST Real stddev() const { return deviation_; }

 private:
  Real mean_, deviation_;
};

}  // namespace random

using random::default_random_engine;
using random::minstd_rand;
using random::minstd_rand0;
using random::normal_distribution;
using random::uniform_int_distribution;
using random::uniform_real_distribution;

}  // namespace thrust
