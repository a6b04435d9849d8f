#include "spec/random_source.h"

#include <cmath>

namespace simtlab {
namespace {

// The finaliser of splitmix64 (Steele, Lea, Flood: Fast Splittable Pseudorandom Number Generators, 2014).
std::uint64_t mixed(std::uint64_t z) {
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  return z ^ (z >> 31);
}

std::uint64_t fnv1a(std::string_view text) {
  std::uint64_t hash = 0xcbf29ce484222325;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  return hash;
}

}  // namespace

std::uint64_t random_stream::next() { return mixed(state_ += step); }

std::uint64_t random_stream::below(std::uint64_t bound) {
  const std::uint64_t leftover = (0 - bound) % bound;  // 2^64 mod bound: numbers below it would be counted twice
  for (;;) {
    const std::uint64_t bits = next();
    if (bits >= leftover) return bits % bound;
  }
}

float random_stream::uniform_float(float low, float high) {
  const float unit = static_cast<float>(next() >> 40) * 0x1p-24f;
  const float number = std::fma(high - low, unit, low);
  return number < high ? number : low;  // rounding may reach the open end
}

double random_stream::uniform_double(double low, double high) {
  const double unit = static_cast<double>(next() >> 11) * 0x1p-53;
  const double number = std::fma(high - low, unit, low);
  return number < high ? number : low;
}

random_stream random_source::operator[](std::string_view argument) const {
  return random_stream(mixed(mixed(mixed(seed_ + 0x9e3779b97f4a7c15) ^ fnv1a(case_name_)) ^ fnv1a(argument)));
}

}  // namespace simtlab
