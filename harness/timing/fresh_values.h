// New values for every timed call, at the price of a copy.
//
// Two independent sets of inputs are made for a benchmark, both right by the lab's own rules. Each timed call gets a third:
// element by element it is the first set's or the second's, as a key drawn just before the call says. So each element keeps
// the distribution that the lab gave it, and no two calls agree in their values, their sums or their counts; what was
// computed in one call is of no use in another. Judge and runner compute the same choice; the key travels with the result.
// Scalars stay as they are. A benchmark's elements must therefore not depend on each other, as sorted ones would.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

#if defined(__CUDACC__)
#define SIMTLAB_ON_BOTH_SIDES __host__ __device__
#else
#define SIMTLAB_ON_BOTH_SIDES
#endif

namespace simtlab {

/// Whether element `index` of argument number `argument` comes from the second set. The finaliser of splitmix64.
SIMTLAB_ON_BOTH_SIDES constexpr bool takes_second(std::uint64_t key, std::uint64_t argument, std::uint64_t index) {
  std::uint64_t z = key + (argument + 1) * 0xd1342543de82ef95 + index * 0x9e3779b97f4a7c15;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  return (z >> 63) != 0;
}

/// Writes the elements `begin` … `end` − 1 of the mixture of two arrays to their places in `to`.
inline void mix_values(std::byte* to, const std::byte* first, const std::byte* second, std::size_t begin,
                       std::size_t end, std::size_t element_bytes, std::uint64_t key, std::uint64_t argument) {
  if (element_bytes == 4) {  // nearly always; a copy of known size is one instruction
    for (std::size_t i = begin; i < end; ++i)
      std::memcpy(to + 4 * i, (takes_second(key, argument, i) ? second : first) + 4 * i, 4);
    return;
  }
  for (std::size_t i = begin; i < end; ++i) {
    const std::byte* from = takes_second(key, argument, i) ? second : first;
    std::memcpy(to + i * element_bytes, from + i * element_bytes, element_bytes);
  }
}

[[nodiscard]] inline std::vector<std::byte> mixed_values(std::span<const std::byte> first,
                                                         std::span<const std::byte> second, std::size_t element_bytes,
                                                         std::uint64_t key, std::uint64_t argument) {
  std::vector<std::byte> made(first.size());
  mix_values(made.data(), first.data(), second.data(), 0, first.size() / element_bytes, element_bytes, key, argument);
  return made;
}

}  // namespace simtlab
