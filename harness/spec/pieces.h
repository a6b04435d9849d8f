// Loops over a benchmark's elements, shared among the processor's cores.
#pragma once

#include <cstddef>
#include <functional>

namespace simtlab {

/// Below so many elements a loop stays in the calling thread.
inline constexpr std::size_t fewest_to_share = std::size_t{1} << 20;

/// Calls `work(begin, end)` for pieces that together are 0 … count − 1, each once, at the same time where `elements` of
/// them (by default `count`) are worth it. Returns when all have returned; throws what the first piece to throw has thrown.
void in_pieces(std::size_t count, const std::function<void(std::size_t begin, std::size_t end)>& work,
               std::size_t elements = 0);

}  // namespace simtlab
